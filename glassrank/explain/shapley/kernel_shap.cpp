#include "glassrank/explain/shapley/kernel_shap.h"

#include <algorithm>
#include <numeric>

#include "glassrank/explain/perturbation.h"
#include "glassrank/explain/shapley/masking_game.h"

namespace glassrank {

void KernelShapParams::visit(ParamVisitor& visitor) {
  shapley.visit(visitor);
  visitor.field("background_rows", background_rows,
                "rows of the background data that stand in for features that are not known",
                Range{.low = 1});
  visitor.field("k", k, "number of features to name", Range{.low = 1});
}

void KernelShap::prepare(const Subject& subject, const Context& context) {
  check_params(params_);
  check_subject(subject);
  subject_ = &subject;
  background_ = sample_background(subject, params_.background_rows, context.seed);
  // Any documents will do: each explanation puts in its own.
  const MatrixView<const float> rows = background_.view();
  perturbation_ = make_perturbation(
      subject, {rows.data(), std::min<std::size_t>(rows.num_rows(), 1), rows.num_columns()}, rows,
      context);
  candidates_ = subject.scorer.used_features();
  if (params_.shapley.mode == ShapleyMode::kShap) {  // shap does not know what a model uses
    candidates_.resize(subject.num_features());
    std::iota(candidates_.begin(), candidates_.end(), 0U);
  }
}

std::vector<Explanation> KernelShap::explain(const ExplainedQuery& query,
                                             std::span<const Target> targets,
                                             const Context& context) const {
  std::vector<Explanation> results;
  for (const Target& target : targets) {
    results.push_back(explain_document(query, target.document, context));
  }
  return results;
}

Explanation KernelShap::explain_document(const ExplainedQuery& query, std::uint32_t document,
                                         const Context& context) const {
  const std::size_t num_features = subject_->num_features();
  const MatrixView<const float> row(query.rows.row(document).data(), 1, query.rows.num_columns());
  const std::vector<std::uint32_t> players = varying_features(row, background_.view(), candidates_);
  const auto perturbation = perturbation_->with_documents(row, context);
  const Game game{.num_players = players.size(),
                  .evaluate = [&](CoalitionView coalitions, std::span<double> values) {
                    const auto masks = feature_masks(coalitions, players, num_features);
                    perturbation->mean_scores({masks.data(), coalitions.num_rows(), num_features},
                                              values, context);
                  }};
  const CounterRandom random(context.seed, "kernel-shap",
                             (std::uint64_t{query.number} << 32) | document);
  const ShapleyResult result = shapley_values(game, params_.shapley, random, context);
  const ShapleyValues& output = result.outputs.front();
  Explanation explanation;
  explanation.target = Target::of_document(document);
  explanation.value = query.scores[document];
  explanation.base_value = output.base;
  explanation.attributions = spread_over_features(output.values, players, num_features);
  explanation.standard_errors = spread_over_features(output.errors, players, num_features);
  explanation.features =
      top_features(explanation.attributions, num_chosen(), naming_errors(traits(), explanation));
  return explanation;
}

}  // namespace glassrank
