#pragma once
// For tests: an explainer whose answers are known. A document's attributions are its values times
// the weights, against 0; features are named by amount.

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/explain/explainer.h"

namespace glassrank::testing {

class FakeExplainer final : public Explainer {
 public:
  explicit FakeExplainer(std::vector<double> weights, ExplainerTraits traits = {})
      : weights_(std::move(weights)), traits_(traits) {}

  std::string name() const override { return "fake"; }
  ExplainerTraits traits() const override { return traits_; }
  std::unique_ptr<Explainer> clone() const override {
    return std::make_unique<FakeExplainer>(weights_, traits_);
  }
  void visit(ParamVisitor& /*visitor*/) override {}
  std::size_t num_chosen() const override { return 1; }
  void prepare(const Subject& subject, const Context& /*context*/) override {
    check_subject(subject);
  }
  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& /*context*/) const override {
    std::vector<Explanation> answers;
    for (const Target& target : targets) {
      Explanation answer;
      answer.target = target;
      for (std::size_t f = 0; f < weights_.size(); ++f) {
        answer.attributions.push_back(weights_[f] * query.rows(target.document, f));
        answer.value += answer.attributions.back();
      }
      answer.features = top_features(answer.attributions, num_chosen());
      answers.push_back(std::move(answer));
    }
    return answers;
  }

 private:
  std::vector<double> weights_;
  ExplainerTraits traits_;
};

}  // namespace glassrank::testing
