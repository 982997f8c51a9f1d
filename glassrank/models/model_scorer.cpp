#include "glassrank/models/model_scorer.h"

#include "glassrank/base/error.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/models/gam/gam_scorer.h"

namespace glassrank {

std::size_t num_features_of(const Model& model) {
  return std::visit([](const auto& body) { return body.num_features(); }, model.body);
}

std::span<const std::string> feature_names_of(const Model& model) {
  return std::visit([](const auto& body) { return body.feature_names(); }, model.body);
}

double score_row(const Model& model, std::span<const float> row) {
  return std::visit([&](const auto& body) { return body.score(row); }, model.body);
}

void score_rows(const Model& model, MatrixView<const float> rows, std::span<double> scores,
                const Context& context) {
  if (const auto* forest = std::get_if<Forest>(&model.body)) {
    ForestScorer(*forest).score(rows, scores, context);
    return;
  }
  GamScorer(std::get<Gam>(model.body)).score(rows, scores, context);
}

const Forest& require_forest(const Model& model, const std::string& file) {
  if (const auto* forest = std::get_if<Forest>(&model.body)) return *forest;
  fail(ErrorKind::kUsage, "this needs a forest; {} is an additive model", file);
}

Forest require_forest(Model&& model, const std::string& file) {
  return require_forest(static_cast<const Model&>(model), file);
}

}  // namespace glassrank
