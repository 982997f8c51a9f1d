#include "glassrank/models/model_scorer.h"

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/models/forest_scorer.h"

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
  const auto& gam = std::get<Gam>(model.body);
  if (rows.num_columns() < gam.num_features()) {
    fail(ErrorKind::kUsage, "rows of {} features for a model of {}", rows.num_columns(),
         gam.num_features());
  }
  if (rows.num_rows() != scores.size()) {
    fail(ErrorKind::kUsage, "{} rows but room for {} scores", rows.num_rows(), scores.size());
  }
  parallel_for(context, rows.num_rows(), 256, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    for (std::size_t r = begin; r < end; ++r) scores[r] = gam.score(rows.row(r));
  });
}

const Forest& require_forest(const Model& model, const std::string& file) {
  if (const auto* forest = std::get_if<Forest>(&model.body)) return *forest;
  fail(ErrorKind::kUsage, "this needs a forest; {} is an additive model", file);
}

Forest require_forest(Model&& model, const std::string& file) {
  return require_forest(static_cast<const Model&>(model), file);
}

}  // namespace glassrank
