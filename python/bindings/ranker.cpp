#include "python/bindings/ranker.h"

#include "glassrank/base/error.h"
#include "glassrank/data/match_columns.h"
#include "glassrank/evaluation/load_rows.h"

namespace glassrank::python {

const Model& Ranker::require_model(std::string_view what_needs_it) const {
  if (!model_) fail(ErrorKind::kUsage, "{} needs a model; this is a black box", what_needs_it);
  return *model_;
}

const Scorer& Ranker::scorer() const {
  const std::scoped_lock lock(mutex_);
  if (!scorer_) scorer_ = make_scorer(*model_);
  return *scorer_;
}

Dataset Ranker::rows(const Data& data, const Context& context) const {
  if (model_) return rows_for(*model_, data.rows, data.name, data.read, context);
  return fit_to(
      {.names = feature_names_, .num_features = scorer_->num_features(), .who = "the black box"},
      data.rows, data.rules(), context);
}

RankedRows::RankedRows(const Ranker& ranker, const Data& rows, const Data* background_rows,
                       const Context& context)
    : data(ranker.rows(rows, context)),
      background(background_rows == nullptr ? data : ranker.rows(*background_rows, context)),
      subject{.scorer = ranker.scorer(), .model = ranker.model(), .background = background} {}

}  // namespace glassrank::python
