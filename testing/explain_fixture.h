#pragma once
// For tests: a small ranker to explain, and an explainer whose answers are known.

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/models/scorer.h"
#include "testing/rows_data.h"

namespace glassrank {

// Standard normal values.
inline Dataset normal_data(std::size_t num_features, const std::vector<std::size_t>& sizes,
                           std::uint64_t seed = 1) {
  RandomSequence random(CounterRandom(seed, "normal data"));
  std::vector<std::vector<float>> rows;
  for (const std::size_t size : sizes) {
    for (std::size_t i = 0; i < size; ++i) {
      auto& row = rows.emplace_back(num_features);
      for (float& value : row) value = static_cast<float>(random.normal());
    }
  }
  return data_of_rows(rows, {.sizes = sizes});
}

// The sum of weight times value.
inline std::unique_ptr<const Scorer> linear_scorer(std::vector<double> weights) {
  const std::size_t num_features = weights.size();
  return make_function_scorer(
      num_features,
      [weights = std::move(weights)](MatrixView<const float> rows, std::span<double> scores) {
        for (std::size_t r = 0; r < rows.num_rows(); ++r) {
          scores[r] = 0;
          for (std::size_t f = 0; f < weights.size(); ++f) {
            scores[r] += weights[f] * static_cast<double>(rows(r, f));
          }
        }
      });
}

// What a FakeExplainer says, and of itself.
struct FakeAnswers {
  std::vector<double> weights = {};  // empty: 1 for every feature
  double noise = 0;                  // above 0: it is sampled
  ExplainerTraits traits = {};
  int k = 5;
  int most = 1000;  // features that it can name
};

// One that names the first features whatever is asked, at most 6 of them.
inline FakeAnswers first_features() {
  return {.traits = {.gives_attributions = false,
                     .explains_documents = false,
                     .explains_rankings = true},
          .most = 6};
}

// Says that weight times value is what a feature adds; with `noise`, plus noise that depends on the
// seed, the query and the document. Without attributions, names the first features.
class FakeExplainer final : public Explainer {
 public:
  explicit FakeExplainer(FakeAnswers answers) : answers_(std::move(answers)) {}
  explicit FakeExplainer(std::vector<double> weights = {}, double noise = 0)
      : FakeExplainer(FakeAnswers{.weights = std::move(weights), .noise = noise}) {}

  std::string name() const override { return "fake"; }
  ExplainerTraits traits() const override {
    ExplainerTraits traits = answers_.traits;
    traits.is_sampled = traits.is_sampled || answers_.noise > 0;
    return traits;
  }
  std::unique_ptr<Explainer> clone() const override {
    return std::make_unique<FakeExplainer>(*this);
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("k", answers_.k, "features to name",
                  Range{.low = 1, .high = static_cast<double>(answers_.most)});
    visitor.field("noise", answers_.noise, "standard deviation of the noise", kNotNegative);
  }
  std::size_t num_chosen() const override { return static_cast<std::size_t>(answers_.k); }
  void prepare(const Subject& subject, const Context& /*context*/) override {
    if (answers_.weights.empty()) answers_.weights.assign(subject.num_features(), 1);
  }
  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& context) const override {
    std::vector<Explanation> results;
    for (const Target& target : targets) {
      Explanation& result = results.emplace_back();
      result.target = target;
      if (answers_.traits.gives_attributions) {
        add_attributions(query, context, result);
        continue;
      }
      result.features.resize(std::min(answers_.weights.size(), num_chosen()));
      std::iota(result.features.begin(), result.features.end(), 0U);
    }
    return results;
  }

 private:
  void add_attributions(const ExplainedQuery& query, const Context& context,
                        Explanation& result) const {
    const std::vector<double>& weights = answers_.weights;
    const std::uint32_t document = result.target.document;
    result.value = query.scores[document];
    const CounterRandom random(context.seed, "fake", query.number);
    for (std::size_t f = 0; f < weights.size(); ++f) {
      const double noise = answers_.noise * random.normal(document * weights.size() + f);
      result.attributions.push_back(weights[f] * static_cast<double>(query.rows(document, f)) +
                                    noise);
    }
    if (answers_.noise > 0) result.standard_errors.assign(weights.size(), answers_.noise);
    result.features = top_features(result.attributions, num_chosen());
  }

  FakeAnswers answers_;
};

}  // namespace glassrank
