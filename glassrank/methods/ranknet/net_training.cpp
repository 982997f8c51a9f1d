#include "glassrank/methods/ranknet/net_training.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/base/random.h"
#include "glassrank/methods/training/graded_pairs.h"
#include "glassrank/methods/training/round_lines.h"
#include "glassrank/methods/training/same_features.h"
#include "glassrank/methods/training/state_archive.h"
#include "glassrank/metrics/repeated_evaluation.h"

namespace glassrank {
namespace {

// Weights times documents whose gradients one task sums: tens of microseconds.
constexpr std::size_t kGroupWork = std::size_t{1} << 18;
constexpr std::size_t kScoreQueries = 16;

// By squaring: std::pow has other last bits on other processors.
double power(double base, std::uint64_t exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2, base *= base) {
    if (exponent % 2 == 1) result *= base;
  }
  return result;
}

// Moves parameters by gradients, and remembers what Adam needs.
class Steps {
 public:
  Steps(std::size_t size, const NetTrainingParams& params)
      : params_(params), means_(size, 0.0), squares_(size, 0.0) {}

  void move(std::span<const double> gradient, std::span<double> parameters) {
    if (params_.optimiser == Optimiser::kSgd) {
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        parameters[p] -= params_.learning_rate * gradient[p];
      }
      return;
    }
    constexpr double kMeanDecay = 0.9;
    constexpr double kSquareDecay = 0.999;
    ++num_steps_;
    const double mean_scale = 1 / (1 - power(kMeanDecay, num_steps_));
    const double square_scale = 1 / (1 - power(kSquareDecay, num_steps_));
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      means_[p] = kMeanDecay * means_[p] + (1 - kMeanDecay) * gradient[p];
      squares_[p] = kSquareDecay * squares_[p] + (1 - kSquareDecay) * gradient[p] * gradient[p];
      parameters[p] -= params_.learning_rate * mean_scale * means_[p] /
                       (std::sqrt(square_scale * squares_[p]) + 1e-8);
    }
  }
  void archive(StateArchive& state) { state(means_, squares_, num_steps_); }
  // As it was before: to take an epoch back.
  void restore(const Steps& before) {
    means_ = before.means_;
    squares_ = before.squares_;
    num_steps_ = before.num_steps_;
  }

 private:
  const NetTrainingParams& params_;
  std::vector<double> means_;
  std::vector<double> squares_;
  std::uint64_t num_steps_ = 0;
};

class Training {
 public:
  Training(const Dataset& train, const Dataset* valid, const FeatureScaling& scaling,
           const NetworkShape& shape, const NetTrainingParams& params, const Context& context)
      : train_(train),
        valid_(valid),
        train_inputs_(train, scaling, context),
        shape_(shape),
        params_(params),
        metrics_(watched_metrics(params.watch)),
        objective_(make_objective(objective_of(params.objective, params.watch), context.seed)),
        parameters_(initial_parameters(shape, params.initial, context.seed)),
        steps_(parameters_.size(), params) {
    objective_->prepare(
        {.grades = train.grades(), .weights = train.weights(), .queries = train.queries()});
    const auto add_names = [&](const char* set) {
      for (const MetricSpec& metric : metrics_) {
        result.curve_names.push_back(fmt::format("{} {}", set, to_text(metric)));
      }
    };
    const auto metrics_of = [&](const Dataset& data) {
      return RepeatedEvaluation(data.grades(), data.queries(), metrics_, params.watch.convention());
    };
    if (params.watch.train_metric) {
      add_names("train");
      train_metrics_.emplace(metrics_of(train));
    }
    if (valid != nullptr) {
      add_names("valid");
      valid_metrics_.emplace(metrics_of(*valid));
      valid_inputs_.emplace(*valid, scaling, context);
    }
    result.best_metric = std::numeric_limits<double>::quiet_NaN();
  }

  void load(std::string bytes) {
    StateArchive state(std::move(bytes));
    archive(state);
  }
  std::string save() {
    StateArchive state;
    archive(state);
    return std::move(state).bytes();
  }

  bool is_over() const {
    if (result.num_epochs >= static_cast<std::size_t>(params_.epochs)) return true;
    return valid_ != nullptr && params_.patience > 0 &&
           result.num_epochs >= result.best_epoch + static_cast<std::size_t>(params_.patience);
  }

  // False, and nothing has changed, when stopped before its end.
  bool train_epoch(const Context& context) {
    const std::vector<double> parameters = parameters_;
    const Steps steps = steps_;
    try {
      train_queries(context);
      measure(context);
      return true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInterrupted) throw;
      parameters_ = parameters;
      steps_.restore(steps);
      return false;
    }
  }

  NetResult result;

 private:
  void archive(StateArchive& state) {
    state(parameters_, result.parameters, result.num_epochs, result.best_epoch, result.best_metric,
          result.curve);
    steps_.archive(state);
  }

  // What one task reuses from query to query.
  struct Scratch {
    explicit Scratch(const NetworkShape& shape) : pass(shape), sum(shape.num_parameters()) {}
    NetworkPass pass;
    std::vector<double> block;
    ObjectiveScratch objective;
    std::vector<float> gradients;
    std::vector<float> hessians;
    std::vector<double> slopes;
    std::vector<double> sum;
  };

  void train_queries(const Context& context) {
    const std::size_t epoch = result.num_epochs;
    std::vector<std::size_t> order(train_.num_queries());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RandomSequence(CounterRandom(context.seed, "network epoch", epoch)).shuffle(order);
    const auto batch = static_cast<std::size_t>(params_.batch_queries);
    for (std::size_t begin = 0; begin < order.size(); begin += batch) {
      context.check_stop();
      train_batch(std::span(order).subspan(begin, std::min(batch, order.size() - begin)), context);
    }
    if (!std::ranges::all_of(parameters_, [](double p) { return std::isfinite(p); })) {
      fail(ErrorKind::kInput,
           "the weights of the network ran away to infinity in epoch {}; a smaller learning_rate "
           "may help",
           epoch + 1);
    }
  }

  // Ends of groups of queries, each enough work to be worth a task.
  std::vector<std::size_t> group_ends(std::span<const std::size_t> queries) const {
    std::vector<std::size_t> ends;
    std::size_t work = 0;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      work += train_.queries().rows(queries[i]).size() * parameters_.size();
      if (work < kGroupWork && i + 1 < queries.size()) continue;
      ends.push_back(i + 1);
      work = 0;
    }
    return ends;
  }

  void train_batch(std::span<const std::size_t> queries, const Context& context) {
    const std::vector<std::size_t> ends = group_ends(queries);
    while (scratch_.size() < ends.size()) scratch_.emplace_back(shape_);
    const auto add_group = [&](std::size_t g) {
      std::ranges::fill(scratch_[g].sum, 0.0);
      for (std::size_t i = g == 0 ? 0 : ends[g - 1]; i < ends[g]; ++i) {
        add_query(queries[i], scratch_[g], context);
      }
    };
    if (ends.size() == 1) {
      add_group(0);
    } else {
      context.threads->run(ends.size(), add_group);
    }
    std::vector<double>& gradient = scratch_.front().sum;
    for (std::size_t g = 1; g < ends.size(); ++g) {
      for (std::size_t p = 0; p < gradient.size(); ++p) gradient[p] += scratch_[g].sum[p];
    }
    const auto share = 1 / static_cast<double>(queries.size());
    for (std::size_t p = 0; p < gradient.size(); ++p) {
      gradient[p] = share * gradient[p] + params_.l2 * parameters_[p];
    }
    steps_.move(gradient, parameters_);
  }

  void add_query(std::size_t query, Scratch& scratch, const Context& context) const {
    const RowRange rows = train_.queries().rows(query);
    const auto grades = train_.grades().subspan(rows.begin, rows.size());
    const std::span<const double> scores = scratch.pass.forward(
        parameters_, train_inputs_.block(query, scratch.block), rows.size(), context);
    scratch.gradients.resize(rows.size());
    scratch.hessians.resize(rows.size());
    objective_->gradients({.query = query,
                           .round = result.num_epochs,
                           .grades = grades,
                           .scores = scores,
                           .stop = context.stop},
                          scratch.objective, {scratch.gradients, scratch.hessians});
    scratch.slopes.resize(rows.size());
    bool is_flat = true;
    for (std::size_t d = 0; d < rows.size(); ++d) {
      scratch.slopes[d] = scratch.gradients[d] * train_.weight(rows.begin + d);
      is_flat = is_flat && scratch.slopes[d] == 0;
    }
    if (is_flat) return;
    scratch.pass.backward(parameters_, scratch.slopes, scratch.sum, context);
  }

  // Metrics of an epoch at its end, and whether it is the best; changes nothing when stopped.
  void measure(const Context& context) {
    std::vector<double> values;
    const auto add = [&](const InputBlocks& inputs, RepeatedEvaluation& evaluation) {
      const auto scores = network_scores(inputs, shape_, parameters_, context);
      const auto name = [&](std::size_t row) { return inputs.data().document_name(row); };
      for (const double mean : evaluation.means(scores, context, name)) values.push_back(mean);
    };
    if (train_metrics_) add(train_inputs_, *train_metrics_);
    const std::size_t first = values.size();
    if (valid_ != nullptr) add(*valid_inputs_, *valid_metrics_);
    ++result.num_epochs;
    bool is_best = true;
    if (valid_ != nullptr) {
      const auto stop = std::ranges::find(metrics_, stop_metric(params_.watch)) - metrics_.begin();
      const double value = values[first + static_cast<std::size_t>(stop)];
      is_best = result.num_epochs == 1 || value > result.best_metric;
      if (is_best) result.best_metric = value;
    }
    if (is_best) {
      result.best_epoch = result.num_epochs;
      result.parameters = parameters_;
    }
    result.curve.push_back(std::move(values));
  }

  const Dataset& train_;
  const Dataset* valid_;
  InputBlocks train_inputs_;
  std::optional<InputBlocks> valid_inputs_;
  const NetworkShape& shape_;
  const NetTrainingParams& params_;
  const std::vector<MetricSpec> metrics_;
  std::optional<RepeatedEvaluation> train_metrics_;  // if they are watched
  std::optional<RepeatedEvaluation> valid_metrics_;
  std::unique_ptr<Objective> objective_;
  std::vector<double> parameters_;
  Steps steps_;
  std::vector<Scratch> scratch_;  // by group of a batch
};

void check_data(const Dataset& train, const Dataset* valid, const ObjectiveParams& objective) {
  if (train.num_rows() == 0) fail(ErrorKind::kInput, "the training data has no rows");
  if (train.num_features() == 0) fail(ErrorKind::kInput, "the training data has no features");
  if (valid != nullptr) check_same_features(train.feature_names(), valid->feature_names());
  check_row_weights(train);
  const ObjectiveInfo* info = find_objective(objective);
  if (info != nullptr && info->compares_documents) {
    check_graded_pairs(train, fmt::format("objective {}", info->name));
  }
}

}  // namespace

std::span<const std::pair<std::string_view, Optimiser>> EnumNames<Optimiser>::table() {
  static constexpr std::array<std::pair<std::string_view, Optimiser>, 2> kNames = {
      {{"adam", Optimiser::kAdam}, {"sgd", Optimiser::kSgd}}};
  return kNames;
}

std::vector<double> network_scores(const InputBlocks& inputs, const NetworkShape& shape,
                                   std::span<const double> parameters, const Context& context) {
  const QueryGroups& queries = inputs.data().queries();
  std::vector<double> scores(inputs.data().num_rows());
  parallel_for(
      context, queries.num_queries(), kScoreQueries, [&](std::size_t begin, std::size_t end) {
        NetworkPass pass(shape);
        std::vector<double> block;
        for (std::size_t q = begin; q < end; ++q) {
          const RowRange rows = queries.rows(q);
          std::ranges::copy(pass.forward(parameters, inputs.block(q, block), rows.size(), context),
                            scores.begin() + static_cast<std::ptrdiff_t>(rows.begin));
        }
      });
  return scores;
}

NetResult train_network(const Dataset& train, const Dataset* valid, const FeatureScaling& scaling,
                        const NetworkShape& shape, const NetTrainingParams& params,
                        const Context& context, const NetRun& run) {
  check_data(train, valid, params.objective);
  Training training(train, valid, scaling, shape, params, context);
  if (std::optional<std::string> state = load_bytes(run.checkpoints, {})) {
    training.load(*std::move(state));
  }
  NetResult& result = training.result;
  const std::size_t every = run.checkpoints == nullptr ? 0 : run.checkpoints->every();
  RoundLines lines(context, {.name = run.name,
                             .unit = "epochs",
                             .most = static_cast<std::size_t>(params.epochs),
                             .log_every = run.log_every});
  lines.skip(result.num_epochs);
  while (!training.is_over()) {
    if (context.is_stopped() || !training.train_epoch(context)) {
      if (result.num_epochs == 0) context.check_stop();
      result.is_interrupted = true;
      break;
    }
    lines.show(result.num_epochs, result.curve_names, result.curve.back());
    if (every > 0 && result.num_epochs % every == 0) run.checkpoints->save({}, training.save());
    if (!params.watch.goes_on({.training = run.name,
                               .round = result.num_epochs,
                               .names = result.curve_names,
                               .metrics = result.curve.back()})) {
      break;
    }
  }
  if (run.checkpoints != nullptr) {
    run.checkpoints->save_end({}, training.save(), result.is_interrupted);
  }
  return std::move(result);
}

}  // namespace glassrank
