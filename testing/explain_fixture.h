#pragma once
// For tests: a small ranker to explain, and an explainer whose answers are known.

#include <algorithm>
#include <memory>
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
};

// Says that weight times value is what a feature adds; with `noise`, plus noise that depends on the
// seed, the query and the document.
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
    visitor.field("k", answers_.k, "features to name", Range{.low = 1});
    visitor.field("noise", answers_.noise, "standard deviation of the noise", kNotNegative);
  }
  std::size_t num_chosen() const override { return static_cast<std::size_t>(answers_.k); }
  void prepare(const Subject& subject, const Context& /*context*/) override {
    if (answers_.weights.empty()) answers_.weights.assign(subject.num_features(), 1);
  }
  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& context) const override {
    const std::vector<double>& weights = answers_.weights;
    std::vector<Explanation> results;
    for (const Target& target : targets) {
      Explanation& result = results.emplace_back();
      result.target = target;
      result.value = query.scores[target.document];
      const CounterRandom random(context.seed, "fake", query.number);
      for (std::size_t f = 0; f < weights.size(); ++f) {
        const double noise = answers_.noise * random.normal(target.document * weights.size() + f);
        result.attributions.push_back(
            weights[f] * static_cast<double>(query.rows(target.document, f)) + noise);
      }
      if (answers_.noise > 0) result.standard_errors.assign(weights.size(), answers_.noise);
      result.features = top_features(result.attributions, num_chosen());
    }
    return results;
  }

 private:
  FakeAnswers answers_;
};

// Names the first features whatever is asked, at most 6.
class FakeSetExplainer final : public Explainer {
 public:
  std::string name() const override { return "fake-set"; }
  ExplainerTraits traits() const override {
    return {.gives_attributions = false, .explains_documents = false, .explains_rankings = true};
  }
  std::unique_ptr<Explainer> clone() const override {
    return std::make_unique<FakeSetExplainer>(*this);
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("k", k_, "features to name", Range{.low = 1, .high = 6});
  }
  std::size_t num_chosen() const override { return static_cast<std::size_t>(k_); }
  void prepare(const Subject& subject, const Context& /*context*/) override {
    num_features_ = subject.num_features();
  }
  std::vector<Explanation> explain(const ExplainedQuery& /*query*/, std::span<const Target> targets,
                                   const Context& /*context*/) const override {
    std::vector<Explanation> results(targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t) {
      results[t].target = targets[t];
      for (std::uint32_t f = 0; f < std::min(num_features_, num_chosen()); ++f) {
        results[t].features.push_back(f);
      }
    }
    return results;
  }

 private:
  std::size_t num_features_ = 0;
  int k_ = 5;
};

}  // namespace glassrank
