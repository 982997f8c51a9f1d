#include "glassrank/methods/coordinate_ascent/coordinate_ascent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/methods/coordinate_ascent/scored_rows.h"
#include "glassrank/methods/training/graded_pairs.h"
#include "glassrank/methods/training/round_lines.h"
#include "glassrank/methods/training/same_features.h"
#include "glassrank/methods/training/state_archive.h"

namespace glassrank {
namespace {

// RankLib's first step of a weight that is 0.
constexpr double kStepFromZero = 0.001;

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
      // Never again without a gain, whatever the tolerance; a metric without a value is NaN.
      const double gain = values.back() - before;
      if (!(gain > 0 && gain >= params_.tolerance)) return true;
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
    std::vector<double> changes = tries;
    for (double& change : changes) change -= weights[feature];
    const std::vector<double> found = rows_.means_with(feature, changes, context);
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
  visitor.field("restarts", restarts,
                "number of climbs from the start, each with the features in another order",
                Range{.low = 1});
  visitor.field("iterations", iterations, "number of steps to try in each direction",
                Range{.low = 1, .high = 60});
  visitor.field("step_base", step_base, "first step as a share of the weight", kPositive);
  visitor.field("step_scale", step_scale, "factor from one step to the next",
                Range{.low = 1, .high = 100});
  visitor.field("tolerance", tolerance,
                "a climb ends when all features together gain less than this", kNotNegative);
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
  check_row_weights(train);
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
    if (!params.watch.goes_on({.training = run.name,
                               .round = best.num_done,
                               .names = {&shown, 1},
                               .metrics = {&value, 1}})) {
      break;
    }
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
