#include "glassrank/methods/coordinate_ascent/coordinate_ascent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/base/random.h"
#include "glassrank/methods/training/graded_pairs.h"
#include "glassrank/methods/training/round_lines.h"
#include "glassrank/methods/training/same_features.h"
#include "glassrank/methods/training/state_archive.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/metrics/ranking.h"
#include "glassrank/metrics/registry.h"

namespace glassrank {
namespace {

// RankLib's first step of a weight that is 0.
constexpr double kStepFromZero = 0.001;

// Scaled features by column, the scores of a linear model on them, and the value of every query.
class ScoredRows {
 public:
  ScoredRows(const Dataset& data, const FeatureScaling& scaling, const WatchParams& watch)
      : data_(data),
        num_features_(scaling.num_features()),
        columns_(num_features_ * data.num_rows()),
        scores_(data.num_rows(), 0.0),
        values_(data.num_queries(), 0.0),
        query_weights_(data.num_queries(), 1.0),
        metric_(make_metric(stop_metric(watch), watch.convention())) {
    for (std::size_t q = 0; q < query_weights_.size(); ++q) query_weights_[q] = query_weight(q);
    std::vector<double> row(num_features_);
    for (std::size_t r = 0; r < data.num_rows(); ++r) {
      scaling.apply(data.row(r), row);
      for (std::size_t f = 0; f < num_features_; ++f) columns_[f * data.num_rows() + r] = row[f];
    }
    varies_.resize(num_features_ * data.num_queries());
    for (std::size_t f = 0; f < num_features_; ++f) {
      for (std::size_t q = 0; q < data.num_queries(); ++q) {
        const auto own = column(f, q);
        varies_[f * data.num_queries() + q] =
            std::ranges::any_of(own, [&](double x) { return x != own.front(); }) ? 1 : 0;
      }
    }
  }

  void set_weights(std::span<const double> weights, const Context& context) {
    std::ranges::fill(scores_, 0.0);
    for (std::size_t f = 0; f < num_features_; ++f) {
      const double* x = columns_.data() + f * data_.num_rows();
      for (std::size_t r = 0; r < scores_.size(); ++r) scores_[r] += weights[f] * x[r];
    }
    constexpr std::size_t kChunk = 16;
    parallel_for(context, values_.size(), kChunk, [&](std::size_t begin, std::size_t end) {
      Scratch scratch;
      for (std::size_t q = begin; q < end; ++q) values_[q] = value_of(q, 0, 0, scratch);
    });
  }
  double mean() const { return mean_of(values_); }

  // The mean with the weight of one feature changed by `change`.
  double mean_with(std::size_t feature, double change) const {
    Scratch scratch;
    std::vector<double> values = values_;
    for (std::size_t q = 0; q < values.size(); ++q) {
      if (varies_[feature * values.size() + q] == 0) continue;
      values[q] = value_of(q, feature, change, scratch);
    }
    return mean_of(values);
  }

 private:
  struct Scratch {
    RankingScratch ranking;
    std::vector<double> scores;
  };

  std::span<const double> column(std::size_t feature, std::size_t query) const {
    const RowRange rows = data_.queries().rows(query);
    return std::span(columns_).subspan(feature * data_.num_rows() + rows.begin, rows.size());
  }

  // NaN: the query does not count.
  double value_of(std::size_t query, std::size_t feature, double change, Scratch& scratch) const {
    const RowRange rows = data_.queries().rows(query);
    const auto x = column(feature, query);
    scratch.scores.resize(rows.size());
    for (std::size_t d = 0; d < rows.size(); ++d) {
      scratch.scores[d] = scores_[rows.begin + d] + change * x[d];
    }
    const RankedList list{.scores = scratch.scores,
                          .grades = data_.grades().subspan(rows.begin, rows.size()),
                          .document_ids = {},
                          .missed_grades = {}};
    const Ranking ranking = rank_documents(
        list, {.depth = metric_->depth(), .tie_groups = metric_->needs_tie_groups()},
        metric_->needs_tie_groups() && has_ties(scratch.scores, scratch.ranking), scratch.ranking);
    const double value = metric_->evaluate(ranking);
    if (!std::isnan(value)) return value;
    const EmptyQuery& empty = metric_->empty();
    return empty.skip ? value : empty.value;
  }

  // A query counts by the mean weight of its rows.
  double query_weight(std::size_t query) const {
    const RowRange rows = data_.queries().rows(query);
    double sum = 0;
    for (std::size_t r = rows.begin; r < rows.end; ++r) sum += data_.weight(r);
    return sum / static_cast<double>(rows.size());
  }

  // NaN where no query counts.
  double mean_of(std::span<const double> values) const {
    double sum = 0;
    double weight = 0;
    for (std::size_t q = 0; q < values.size(); ++q) {
      if (std::isnan(values[q])) continue;
      sum += query_weights_[q] * values[q];
      weight += query_weights_[q];
    }
    return sum / weight;
  }

  const Dataset& data_;
  std::size_t num_features_;
  std::vector<double> columns_;
  std::vector<std::uint8_t> varies_;
  std::vector<double> scores_;
  std::vector<double> values_;
  std::vector<double> query_weights_;
  std::unique_ptr<Metric> metric_;
};

// What is tried for a weight: 0, then steps that grow, downward and upward.
std::vector<double> tries_of(double weight, const CoordinateAscentParams& params) {
  std::vector<double> tries = {0.0};
  for (const double sign : {-1.0, 1.0}) {
    double step = kStepFromZero * sign;
    if (weight != 0 && std::abs(step) > 0.5 * std::abs(weight)) {
      step = params.step_base * std::abs(weight) * sign;
    }
    double change = step;
    for (int i = 0; i < params.iterations; ++i) {
      tries.push_back(weight + change);
      step *= params.step_scale;
      change += step;
    }
  }
  return tries;
}

class Ascent {
 public:
  Ascent(ScoredRows& rows, const CoordinateAscentParams& params, std::size_t num_features)
      : params_(params),
        weights(num_features, 1 / static_cast<double>(num_features)),
        rows_(rows) {}

  // One restart; false: interrupted.
  bool climb(std::size_t restart, const Context& context) {
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RandomSequence(CounterRandom(context.seed, "coordinate ascent", restart)).shuffle(order);
    rows_.set_weights(weights, context);
    values = {rows_.mean()};
    for (double before = values.back();; before = values.back()) {
      for (const std::size_t f : order) {
        if (context.is_stopped()) return false;
        move(f, context);
      }
      if (values.back() - before < params_.tolerance) return true;
    }
  }

 private:
  const CoordinateAscentParams& params_;

 public:
  std::vector<double> weights;
  std::vector<double> values;  // of the metric: at the start and after every move

 private:
  void move(std::size_t feature, const Context& context) {
    const std::vector<double> tries = tries_of(weights[feature], params_);
    std::vector<double> found(tries.size());
    // Tries are independent of each other: one a task.
    parallel_for(context, tries.size(), 1, [&](std::size_t i, std::size_t) {
      found[i] = rows_.mean_with(feature, tries[i] - weights[feature]);
    });
    const auto best = std::ranges::max_element(found);
    if (!(*best > values.back())) return;
    weights[feature] = tries[static_cast<std::size_t>(best - found.begin())];
    double total = 0;
    for (const double weight : weights) total += std::abs(weight);
    if (total > 0) {
      for (double& weight : weights) weight /= total;
    }
    rows_.set_weights(weights, context);
    // Dividing may move scores within rounding of each other; the metric of what is kept counts.
    values.push_back(rows_.mean());
  }

  ScoredRows& rows_;
};

}  // namespace

void CoordinateAscentParams::visit(ParamVisitor& visitor) {
  visitor.section("training");
  visitor.field("restarts", restarts, "climbs from the start, features in another order each time",
                Range{.low = 1});
  visitor.field("iterations", iterations, "steps tried in each direction",
                Range{.low = 1, .high = 60});
  visitor.field("step_base", step_base, "first step as a share of the weight", kPositive);
  visitor.field("step_scale", step_scale, "factor from one step to the next",
                Range{.low = 1, .high = 100});
  visitor.field("tolerance", tolerance, "a climb ends when all features together gain less",
                kNotNegative);
  visitor.section("model");
  visitor.field("normalise", normalise,
                "put features on a common scale: standardise to mean 0 and deviation 1, or none");
  watch.visit(visitor);
}

namespace {

// The best climb so far: what the next ones have to beat.
struct BestClimb {
  std::size_t num_done = 0;  // climbs
  std::size_t restart = 0;   // from 1; 0: none yet
  double value = 0;          // what climbs are compared by
  std::vector<double> weights;
  std::vector<double> train_values;

  void archive(StateArchive& state) { state(num_done, restart, value, weights, train_values); }
  std::string bytes() {
    StateArchive state;
    archive(state);
    return std::move(state).bytes();
  }
};

void check_data(const Dataset& train, const Dataset* valid) {
  if (train.num_rows() == 0) fail(ErrorKind::kInput, "the training data has no rows");
  if (train.num_features() == 0) fail(ErrorKind::kInput, "the training data has no features");
  if (valid != nullptr) check_same_features(train.feature_names(), valid->feature_names());
  check_graded_pairs(train, "coordinate ascent");
}

}  // namespace

CoordinateAscentResult train_coordinate_ascent(const Dataset& train, const Dataset* valid,
                                               const CoordinateAscentParams& params,
                                               const Context& context,
                                               const CoordinateAscentRun& run) {
  check_params(params);
  check_data(train, valid);
  const FeatureScaling scaling =
      find_scaling(run.scaled_by == nullptr ? train : *run.scaled_by, params.normalise, context);
  const MetricSpec metric = stop_metric(params.watch);
  ScoredRows rows(train, scaling, params.watch);
  std::optional<ScoredRows> valid_rows;
  if (valid != nullptr) valid_rows.emplace(*valid, scaling, params.watch);
  BestClimb best;
  if (const auto bytes = load_bytes(run.checkpoints, {})) {
    StateArchive state(*bytes);
    best.archive(state);
  }
  const std::string shown = stopping_name(params.watch, valid_rows ? "valid" : "train");
  RoundLines lines(context, {.name = run.name,
                             .unit = "climbs",
                             .most = static_cast<std::size_t>(params.restarts),
                             .log_every = run.log_every});
  lines.skip(best.num_done);
  CoordinateAscentResult result;
  while (best.num_done < static_cast<std::size_t>(params.restarts)) {
    Ascent ascent(rows, params, train.num_features());
    if (!ascent.climb(best.num_done, context)) {
      if (best.restart == 0) context.check_stop();
      result.is_interrupted = true;
      break;
    }
    if (std::isnan(ascent.values.back())) {
      fail(ErrorKind::kInput, "{}: no query of the training data counts", to_text(metric));
    }
    if (valid_rows) valid_rows->set_weights(ascent.weights, context.finishing());
    const double value = valid_rows ? valid_rows->mean() : ascent.values.back();
    ++best.num_done;
    if (best.restart == 0 || value > best.value) {
      best = {.num_done = best.num_done,
              .restart = best.num_done,
              .value = value,
              .weights = ascent.weights,
              .train_values = ascent.values};
    }
    if (run.checkpoints != nullptr && run.checkpoints->every() > 0) {
      run.checkpoints->save({}, best.bytes());
    }
    lines.show(best.num_done, {&shown, 1}, {&value, 1});
  }
  if (run.checkpoints != nullptr) {
    run.checkpoints->save_end({}, best.bytes(), result.is_interrupted);
  }
  result.train_values = best.train_values;
  result.train_metric = best.train_values.back();
  result.valid_metric = valid_rows ? best.value : std::numeric_limits<double>::quiet_NaN();
  result.best_restart = best.restart;
  LinearParts rest;
  rest.feature_names = {train.feature_names().begin(), train.feature_names().end()};
  rest.objective = "Coordinate Ascent";
  result.linear = unscaled_linear(best.weights, 0, scaling, std::move(rest));
  return result;
}

}  // namespace glassrank
