#include "python/bindings/ranker.h"

#include <algorithm>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/data/match_columns.h"
#include "glassrank/evaluation/load_rows.h"

namespace glassrank::python {
namespace {

// Of columns whose matrix is not made, at a time.
constexpr std::size_t kRowsScored = 16'384;

// Some rows as data of their own: nobody asks for more of them than values.
Dataset block_of(const ColumnSource& source, std::size_t first_row, std::size_t num_rows,
                 const Context& context) {
  DatasetParts parts;
  parts.schema = source.table().schema;
  parts.grades.assign(num_rows, 0);
  parts.queries = num_rows == 0 ? QueryGroups()
                                : QueryGroups(std::vector<std::string>{"1"},
                                              std::vector<std::size_t>{num_rows});
  parts.features = Buffer<float>(num_rows * parts.num_features());
  source.read(first_row, num_rows, parts.features.data(), context);
  return Dataset(std::move(parts));
}

}  // namespace

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
  return fitted(data.rows(context), data, context);
}

Dataset Ranker::fitted(const Dataset& rows, const Data& data, const Context& context) const {
  if (model_) return rows_for(*model_, rows, data.name, data.read, context);
  // Without names it takes columns as they come.
  const bool takes_all = feature_names_.empty() && scorer_->num_features() == rows.num_features();
  return fit_to(
      {.names = takes_all ? rows.feature_names() : std::span<const std::string>(feature_names_),
       .num_features = scorer_->num_features(),
       .who = "the black box"},
      rows, data.rules(), context);
}

std::vector<double> Ranker::scores(const Data& data, const Context& context) const {
  const ColumnSource* const source = data.values().source();
  if (source == nullptr) return score_all(scorer(), rows(data, context), context);
  std::vector<double> scores;
  Context quiet = context;  // what is to be told of the columns is told once
  quiet.log_sink = nullptr;
  const std::size_t num_rows = data.table().num_rows();
  do {
    const std::size_t first = scores.size();
    const Dataset block =
        block_of(*source, first, std::min(num_rows - first, kRowsScored), context);
    const Dataset own = fitted(block, data, first == 0 ? context : quiet);
    const std::vector<double> found = score_all(scorer(), own, context);
    scores.insert(scores.end(), found.begin(), found.end());
  } while (scores.size() < num_rows);
  return scores;
}

RankedRows::RankedRows(const Ranker& ranker, const Data& rows, const Data* background_rows,
                       const Context& context)
    : data(ranker.rows(rows, context)),
      background(background_rows == nullptr ? data : ranker.rows(*background_rows, context)),
      subject{.scorer = ranker.scorer(), .model = ranker.model(), .background = background} {}

}  // namespace glassrank::python
