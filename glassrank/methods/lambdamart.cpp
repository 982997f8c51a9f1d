#include "glassrank/methods/lambdamart.h"

#include <limits>
#include <memory>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {
namespace {

// Binned data ranked by one score per row; it has no document ids, so places stand for names.
class BinnedLists final : public ListSource {
 public:
  BinnedLists(const BinnedDataset& data, std::span<const double> scores)
      : data_(data), scores_(scores) {}

  std::size_t num_queries() const override { return data_.num_queries(); }
  RankedList list(std::size_t query, bool, std::vector<std::string_view>& ids) const override {
    const RowRange rows = data_.queries().rows(query);
    ids.clear();
    return {.scores = scores_.subspan(rows.begin, rows.size()),
            .grades = data_.grades().subspan(rows.begin, rows.size()),
            .document_ids = ids,
            .missed_grades = {}};
  }
  std::string query_name(std::size_t query) const override { return data_.queries().id(query); }
  std::string document_name(std::size_t, std::size_t slot) const override {
    return std::to_string(slot + 1);
  }

 private:
  const BinnedDataset& data_;
  std::span<const double> scores_;
};

// The mean of a metric over the queries of binned data, in the default convention.
MetricFunction round_metric(const MetricSpec& spec) {
  return [spec](const BinnedDataset& data, std::span<const double> scores, const Context& context) {
    return evaluate(BinnedLists(data, scores), std::vector{spec}, Convention{}, context)
        .metrics.front()
        .mean;
  };
}

}  // namespace

void LambdamartParams::visit(ParamVisitor& visitor) {
  boosting.visit(visitor);
  objective.visit(visitor);
  bins.visit(visitor);
  visitor.field("metric", metric, "what is watched during training");
  visitor.field("patience", patience,
                "stop after so many rounds without a better validation metric; 0 never stops",
                kNotNegative);
  visitor.field("min_delta", min_delta, "how much better a metric must be to count", kNotNegative);
}

LambdamartResult train_lambdamart(const Dataset& train, const Dataset* valid,
                                  const LambdamartParams& params, const Context& context) {
  const MetricSpec spec = parse_metric(params.metric);
  const auto objective = make_objective(params.objective, context.seed);
  if (train.num_rows() == 0) fail(ErrorKind::kInput, "the training data has no rows");
  const BinnedDataset binned = bin_dataset(train, params.bins, context);
  BoostingTask task{
      .train = binned, .objective = objective.get(), .objective_name = params.objective.objective};
  if (valid != nullptr) {
    if (valid->num_features() != train.num_features()) {
      fail(ErrorKind::kInput, "the validation data has {} features, the training data {}",
           valid->num_features(), train.num_features());
    }
    task.valid.push_back(bin_with(*valid, binned.shared_edges(), context));
  }
  std::vector<std::string> names = {"train " + params.metric};
  task.metrics.push_back({.name = names[0], .set = 0, .function = round_metric(spec)});
  if (valid != nullptr) {
    names.push_back("valid " + params.metric);
    task.metrics.push_back({.name = names[1], .set = 1, .function = round_metric(spec)});
  }

  LearningCurve curve;
  RoundProgress progress(context, static_cast<std::size_t>(params.boosting.num_trees), names);
  EarlyStopping stopping({.metric = names.size() - 1,
                          .patience = params.patience > 0
                                          ? static_cast<std::size_t>(params.patience)
                                          : std::numeric_limits<std::size_t>::max(),
                          .min_delta = params.min_delta});
  task.observers = {&curve, &progress};
  if (valid != nullptr) task.observers.push_back(&stopping);

  BoostingResult result = boost(task, params.boosting, context);
  return {.forest = std::move(result.forest),
          .end = result.end,
          .num_rounds = result.num_rounds,
          .best_metric = stopping.best(),
          .curve = {curve.rounds().begin(), curve.rounds().end()}};
}

}  // namespace glassrank
