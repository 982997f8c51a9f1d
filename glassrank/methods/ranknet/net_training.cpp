#include "glassrank/methods/ranknet/net_training.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/base/random.h"
#include "glassrank/methods/training/graded_pairs.h"
#include "glassrank/methods/training/round_lines.h"
#include "glassrank/methods/training/same_features.h"
#include "glassrank/methods/training/state_archive.h"
#include "glassrank/metrics/evaluate.h"

namespace glassrank {
namespace {

// Weights times documents whose gradients one task sums: tens of microseconds.
constexpr std::size_t kGroupWork = std::size_t{1} << 18;
constexpr std::size_t kScoreRows = 256;

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
    const auto step = static_cast<double>(num_steps_);
    const double mean_scale = 1 / (1 - std::pow(kMeanDecay, step));
    const double square_scale = 1 / (1 - std::pow(kSquareDecay, step));
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      means_[p] = kMeanDecay * means_[p] + (1 - kMeanDecay) * gradient[p];
      squares_[p] = kSquareDecay * squares_[p] + (1 - kSquareDecay) * gradient[p] * gradient[p];
      parameters[p] -= params_.learning_rate * mean_scale * means_[p] /
                       (std::sqrt(square_scale * squares_[p]) + 1e-8);
    }
  }
  void archive(StateArchive& state) { state(means_, squares_, num_steps_); }

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
        scaling_(scaling),
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
    if (params.watch.train_metric) add_names("train");
    if (valid != nullptr) add_names("valid");
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

  void train_epoch(const Context& context) {
    std::vector<std::size_t> order(train_.num_queries());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RandomSequence(CounterRandom(context.seed, "network epoch", result.num_epochs)).shuffle(order);
    const auto batch = static_cast<std::size_t>(params_.batch_queries);
    for (std::size_t begin = 0; begin < order.size(); begin += batch) {
      train_batch(std::span(order).subspan(begin, std::min(batch, order.size() - begin)), context);
    }
    ++result.num_epochs;
    // Without a pair no ranking objective has a slope; those of single grades have.
    if (result.num_epochs == 1 && !has_slope_) {
      check_graded_pairs(train_, fmt::format("objective {}", params_.objective.objective));
    }
    if (!std::ranges::all_of(parameters_, [](double p) { return std::isfinite(p); })) {
      fail(ErrorKind::kInput,
           "the weights of the network ran away to infinity in epoch {}; a smaller learning_rate "
           "may help",
           result.num_epochs);
    }
    measure(context);
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
    ObjectiveScratch objective;
    std::vector<float> gradients;
    std::vector<float> hessians;
    std::vector<double> slopes;
    std::vector<double> sum;
    bool has_slope = false;  // of any query so far
  };

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
        add_query(queries[i], scratch_[g]);
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
    for (const Scratch& own : scratch_) has_slope_ = has_slope_ || own.has_slope;
    const auto share = 1 / static_cast<double>(queries.size());
    for (std::size_t p = 0; p < gradient.size(); ++p) {
      gradient[p] = share * gradient[p] + params_.l2 * parameters_[p];
    }
    steps_.move(gradient, parameters_);
  }

  void add_query(std::size_t query, Scratch& scratch) const {
    const RowRange rows = train_.queries().rows(query);
    const auto grades = train_.grades().subspan(rows.begin, rows.size());
    scratch.pass.start(rows.size());
    for (std::size_t d = 0; d < rows.size(); ++d) {
      scaling_.apply(train_.row(rows.begin + d), scratch.pass.inputs(d));
    }
    const std::span<const double> scores = scratch.pass.forward(parameters_);
    scratch.gradients.resize(rows.size());
    scratch.hessians.resize(rows.size());
    objective_->gradients(
        {.query = query, .round = result.num_epochs, .grades = grades, .scores = scores},
        scratch.objective, {scratch.gradients, scratch.hessians});
    scratch.slopes.resize(rows.size());
    bool is_flat = true;
    for (std::size_t d = 0; d < rows.size(); ++d) {
      scratch.slopes[d] = scratch.gradients[d] * train_.weight(rows.begin + d);
      is_flat = is_flat && scratch.slopes[d] == 0;
    }
    if (is_flat) return;
    scratch.has_slope = true;
    scratch.pass.backward(parameters_, scratch.slopes, scratch.sum);
  }

  void measure(const Context& context) {
    std::vector<double> values;
    const auto add = [&](const Dataset& data) {
      const auto scores = network_scores(data, scaling_, shape_, parameters_, context);
      for (const MetricValues& own :
           evaluate(DatasetLists(data, scores), metrics_, params_.watch.convention(), context)
               .metrics) {
        values.push_back(own.mean);
      }
    };
    if (params_.watch.train_metric) add(train_);
    const std::size_t first = values.size();
    if (valid_ != nullptr) add(*valid_);
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
  const FeatureScaling& scaling_;
  const NetworkShape& shape_;
  const NetTrainingParams& params_;
  const std::vector<MetricSpec> metrics_;
  std::unique_ptr<Objective> objective_;
  std::vector<double> parameters_;
  Steps steps_;
  std::vector<Scratch> scratch_;  // by group of a batch
  bool has_slope_ = false;        // whether any query had one
};

void check_data(const Dataset& train, const Dataset* valid) {
  if (train.num_rows() == 0) fail(ErrorKind::kInput, "the training data has no rows");
  if (train.num_features() == 0) fail(ErrorKind::kInput, "the training data has no features");
  if (valid != nullptr) check_same_features(train.feature_names(), valid->feature_names());
}

}  // namespace

std::span<const std::pair<std::string_view, Optimiser>> EnumNames<Optimiser>::table() {
  static constexpr std::array<std::pair<std::string_view, Optimiser>, 2> kNames = {
      {{"adam", Optimiser::kAdam}, {"sgd", Optimiser::kSgd}}};
  return kNames;
}

std::vector<double> network_scores(const Dataset& data, const FeatureScaling& scaling,
                                   const NetworkShape& shape, std::span<const double> parameters,
                                   const Context& context) {
  std::vector<double> scores(data.num_rows());
  parallel_for(context, scores.size(), kScoreRows, [&](std::size_t begin, std::size_t end) {
    NetworkPass pass(shape);
    pass.start(end - begin);
    for (std::size_t r = begin; r < end; ++r) {
      scaling.apply(data.row(r), pass.inputs(r - begin));
    }
    std::ranges::copy(pass.forward(parameters), &scores[begin]);
  });
  return scores;
}

NetResult train_network(const Dataset& train, const Dataset* valid, const FeatureScaling& scaling,
                        const NetworkShape& shape, const NetTrainingParams& params,
                        const Context& context, const NetRun& run) {
  check_data(train, valid);
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
    if (context.is_stopped()) {
      if (result.num_epochs == 0) context.check_stop();
      result.is_interrupted = true;
      break;
    }
    training.train_epoch(context.finishing());
    lines.show(result.num_epochs, result.curve_names, result.curve.back());
    if (every > 0 && result.num_epochs % every == 0) run.checkpoints->save({}, training.save());
  }
  if (run.checkpoints != nullptr) {
    run.checkpoints->save_end({}, training.save(), result.is_interrupted);
  }
  return std::move(result);
}

}  // namespace glassrank
