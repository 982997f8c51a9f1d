#pragma once
// kernel-shap: what each feature adds to a document's score, for any ranker (Lundberg and Lee
// 2017).
//
// The game: v(S) = mean over background rows of the score with the document's values on S and the
// row's elsewhere. Its Shapley values are the attributions (shapley.h says how they are got and
// what the modes are); base value + attributions = score. For forests tree-shap gives the same
// numbers exactly and faster: the interventional values are the limit of these.
//
// As in the Valid Explanations paper: mode = shap, samples = 200 (its code: 500 for MQ2008), a
// ranking explained by its first document (SHAP-1) or the signed sum over five (SHAP-5).
// Where we differ from shap: no features are left out (its l1_reg) unless asked, weights do not
// depend on luck, and standard errors are given.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "glassrank/explain/background.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/explain/shapley/shapley.h"

namespace glassrank {

struct KernelShapParams {
  ShapleyParams shapley;
  std::uint64_t background_rows = 500;
  int k = 5;

  void visit(ParamVisitor& visitor);
};

class KernelShap final : public Explainer {
 public:
  explicit KernelShap(KernelShapParams params = {}) : params_(std::move(params)) {}

  std::string name() const override { return "kernel-shap"; }
  // shap names the largest amounts, sure or not.
  ExplainerTraits traits() const override {
    return {.is_sampled = true, .names_unsure = params_.shapley.mode == ShapleyMode::kShap};
  }
  std::unique_ptr<Explainer> clone() const override {
    return std::make_unique<KernelShap>(params_);
  }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  std::size_t num_chosen() const override { return static_cast<std::size_t>(params_.k); }
  void prepare(const Subject& subject, const Context& context) override;
  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& context) const override;

 private:
  Explanation explain_document(const ExplainedQuery& query, std::uint32_t document,
                               const Context& context) const;

  KernelShapParams params_;
  const Subject* subject_ = nullptr;
  RowMatrix background_;
  std::shared_ptr<const Perturbation> perturbation_;  // with the background as references
  std::vector<std::uint32_t> candidates_;             // features that may play
};

}  // namespace glassrank
