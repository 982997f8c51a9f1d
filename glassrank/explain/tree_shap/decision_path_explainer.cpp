#include "glassrank/explain/tree_shap/decision_path_explainer.h"

#include <numeric>
#include <optional>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/explain/tree_shap/decision_path.h"
#include "glassrank/explain/tree_shap/row_explanations.h"

namespace glassrank {
namespace {

class DecisionPathExplainer final : public Explainer {
 public:
  explicit DecisionPathExplainer(const DecisionPathExplainerParams& params) : params_(params) {}

  std::string name() const override { return "decision-path"; }
  ExplainerTraits traits() const override { return {.needs_model = true}; }
  std::unique_ptr<Explainer> clone() const override {
    return std::make_unique<DecisionPathExplainer>(params_);
  }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  std::vector<ParamUse> uses() const override {
    return {{"exclude_leaf", "measure", {"contribution"}}};
  }
  std::size_t num_chosen() const override { return static_cast<std::size_t>(params_.k); }

  void prepare(const Subject& subject, const Context& context) override {
    check_subject(subject);
    check_params(params_);
    if (subject.model == nullptr) {
      fail(ErrorKind::kUsage,
           "decision-path follows the trees of a model, and only the scores of this one are known; "
           "kernel-shap needs no more than scores");
    }
    const Model model = with_cover(*subject.model, params_.cover, subject.background, context);
    paths_.emplace(require_forest(model, "decision-path"),
                   DecisionPathParams{.measure = params_.measure,
                                      .total = params_.total,
                                      .exclude_leaf = params_.exclude_leaf,
                                      .cover = cover_of(params_.cover)});
  }

  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& context) const override {
    std::vector<std::uint32_t> documents;
    for (const Target& target : targets) documents.push_back(target.document);
    const auto values = [this](MatrixView<const float> rows, MatrixView<double> out,
                               const Context& own) { paths_->values(rows, out, own); };
    std::vector<Explanation> answers = explain_rows(query, documents,
                                                    {.num_features = paths_->num_features(),
                                                     .base_value = paths_->base_value(),
                                                     .num_chosen = num_chosen()},
                                                    values, context);
    if (!explains_score()) {
      for (Explanation& answer : answers) {
        answer.value = std::accumulate(answer.attributions.begin(), answer.attributions.end(),
                                       answer.base_value);
      }
    }
    return answers;
  }

 private:
  bool explains_score() const {
    return params_.measure == PathMeasure::kContribution && params_.total == PathTotal::kSum &&
           !params_.exclude_leaf;
  }

  DecisionPathExplainerParams params_;
  std::optional<DecisionPaths> paths_;
};

}  // namespace

void DecisionPathExplainerParams::visit(ParamVisitor& visitor) {
  visitor.field("k", k, "number of features to name as the most important ones", Range{.low = 1});
  visitor.field("measure", measure,
                "contribution: the change of the score at each decision; frequency: how often a "
                "path through a tree tests the feature");
  visitor.field("total", total, "sum or mean over the trees");
  visitor.field("exclude_leaf", exclude_leaf, "leave out the last step, into the leaf");
  visitor.field("cover", cover,
                "weights for the mean value of a node: auto uses row counts if the model has them "
                "and sums of hessians otherwise; data counts the rows of the background data");
}

std::unique_ptr<Explainer> make_decision_path(DecisionPathExplainerParams params) {
  return std::make_unique<DecisionPathExplainer>(params);
}

}  // namespace glassrank
