#include "glassrank/methods/training/bagged_method.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/base/random.h"
#include "glassrank/boosting/tree/binned_tree.h"
#include "glassrank/data/shard.h"
#include "glassrank/methods/training/round_metrics.h"
#include "glassrank/models/mean_model.h"

namespace glassrank {
namespace {

// The checkpoints of one bag: phases of their own, one bag at a time.
class BagCheckpoints final : public Checkpoints {
 public:
  BagCheckpoints(Checkpoints& all, std::size_t bag, std::mutex& mutex)
      : all_(all), bag_(bag), mutex_(mutex) {}

  std::optional<TrainingState> load(const TrainingPhase& phase) override {
    const std::scoped_lock lock(mutex_);
    return all_.load(within(phase));
  }
  std::size_t every() const override { return all_.every(); }
  void save(const TrainingPhase& phase, const TrainingState& state) override {
    const std::scoped_lock lock(mutex_);
    all_.save(within(phase), state);
  }
  void save_end(const TrainingPhase& phase, const TrainingState& state,
                bool is_interrupted) override {
    const std::scoped_lock lock(mutex_);
    all_.save_end(within(phase), state, is_interrupted);
  }

 private:
  TrainingPhase within(const TrainingPhase& phase) const {
    const std::string name = fmt::format("bag{}", bag_ + 1);
    return {.name = phase.name.empty() ? name : fmt::format("{}.{}", name, phase.name),
            .label = phase.label.empty() ? name : fmt::format("{}, {}", name, phase.label),
            .what = fmt::format("bag {}", bag_ + 1),
            .is_last = false};  // other bags may still be in work
  }

  Checkpoints& all_;
  std::size_t bag_;
  std::mutex& mutex_;
};

// Lines of bags side by side, one after the other.
class SharedLog final : public LogSink {
 public:
  explicit SharedLog(std::shared_ptr<LogSink> sink) : sink_(std::move(sink)) {}
  void log(LogLevel level, std::string_view message) override {
    const std::scoped_lock lock(mutex_);
    if (sink_) sink_->log(level, message);
  }

 private:
  std::shared_ptr<LogSink> sink_;
  std::mutex mutex_;
};

struct Bag {
  std::optional<TrainResult> result;  // none: stopped before its first round
  BagReport report;
};

std::size_t rounded_mean(std::size_t sum, std::size_t n) { return (2 * sum + n) / (2 * n); }

class BaggedMethod final : public Method {
 public:
  BaggedMethod(std::unique_ptr<Method> method, const BagParams& bagging)
      : method_(std::move(method)), bagging_(bagging) {}
  BaggedMethod(const BaggedMethod& other)
      : method_(other.method_->clone()), bagging_(other.bagging_) {}

  std::string name() const override { return method_->name(); }
  MethodTraits traits() const override {
    MethodTraits traits = method_->traits();
    traits.needs_values = traits.needs_values || bagging_.stop_on == StopOn::kBag;
    return traits;
  }
  std::unique_ptr<Method> clone() const override { return std::make_unique<BaggedMethod>(*this); }
  void visit(ParamVisitor& visitor) override {
    method_->visit(visitor);
    visitor.section("training");
    bagging_.visit(visitor);
  }
  WatchParams& watch() override { return method_->watch(); }
  ObjectiveParams* objective() override { return method_->objective(); }
  std::vector<ParamUse> uses() const override { return method_->uses(); }
  BinParams bin_params() const override { return method_->bin_params(); }
  void settle(const TrainSetting& setting) override {
    TrainSetting own = setting;
    own.has_valid = setting.has_valid || bagging_.stop_on == StopOn::kBag;
    method_->settle(own);
  }
  void check(const TrainSetting& setting) const override {
    method_->check(setting);
    check_bags(bagging_);
  }
  void prepare(const TrainTask& task, const Context& context) const override {
    method_->prepare(task, context);
    if (bagging_.stop_on == StopOn::kBag) task.data.values(context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    if (!bagging_.is_bagged()) return method_->train(task, context);
    prepare(task, context);
    std::vector<Bag> bags(static_cast<std::size_t>(bagging_.bags));
    train_bags(bags, task, context);
    const std::size_t num_wanted = bags.size();
    std::erase_if(bags, [](const Bag& bag) { return !bag.result; });
    if (bags.empty()) context.check_stop_anywhere();
    return mean_of(bags, num_wanted, task, context.finishing());
  }

  Rounds rounds() const override { return method_->rounds(); }
  void scale_rounds(double share) override { method_->scale_rounds(share); }
  void fix_length(const TrainingLength& length) override {
    if (!length.empty()) method_->fix_length(length);
  }
  BoostingResult train_base(const TrainTask& task, const BaseTask& base,
                            const Context& context) const override {
    return method_->train_base(task, base, context);
  }

 private:
  void train_bags(std::vector<Bag>& bags, const TrainTask& task, const Context& context) const {
    Context own = context;
    own.progress_sink = nullptr;  // one line for all bags
    own.log_sink = std::make_shared<SharedLog>(context.log_sink);
    std::mutex mutex;
    Progress progress(context, "training", "bags", bags.size());
    const auto train_one = [&](std::size_t b, std::size_t) {
      train_bag(b, bags[b], task, own, mutex);
      progress.add(1);
    };
    if (!context.communicator->is_alone()) {  // which talk of one thing at a time
      for (std::size_t b = 0; b < bags.size(); ++b) train_one(b, b + 1);
      return;
    }
    // Every thread has a bag; fewer bags than threads share them all.
    if (bags.size() >= static_cast<std::size_t>(context.threads->count())) {
      own.threads = std::make_shared<const Threads>(1);
    }
    parallel_for(context, bags.size(), 1, train_one);
  }

  void train_bag(std::size_t number, Bag& bag, const TrainTask& task, Context context,
                 std::mutex& mutex) const {
    if (context.is_stopped_anywhere()) return;
    const Shard shard = shard_of(task.data.queries(), *context.communicator);
    BagSplitRows rows = split_bag(task.data.queries(), shard, {.share = bagging_.valid_share},
                                  context.seed, number);
    context.seed = CounterRandom(context.seed, "bag", number).bits(0);
    std::uint64_t counts[] = {rows.train.size(), rows.held_out.size()};
    context.communicator->sum(counts);
    bag.report.num_rows = counts[0];
    bag.report.num_held_out_rows = counts[1];
    TrainingData data = counts[1] == 0 ? task.data : task.data.select(rows.train);
    if (bagging_.stop_on == StopOn::kBag) {
      data = data.with_valid(task.data.select(rows.held_out).values(context));
    }
    std::optional<BagCheckpoints> checkpoints;
    if (task.checkpoints != nullptr) checkpoints.emplace(*task.checkpoints, number, mutex);
    const TrainTask own{.data = data,
                        .start = task.start,
                        .checkpoints = checkpoints ? &*checkpoints : nullptr,
                        .name = fmt::format("bag {} of {}", number + 1, bagging_.bags),
                        .log_every = task.log_every,
                        .stages = stages_within(task.stages, rows.train)};
    try {
      bag.result = method_->train(own, context);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInterrupted) throw;
    }
  }

  TrainResult mean_of(std::vector<Bag>& bags, std::size_t num_wanted, const TrainTask& task,
                      const Context& context) const {
    TrainResult mean;
    TrainReport& report = mean.report;
    std::vector<Model> models;
    report.num_rounds = 0;
    std::size_t num_kept = 0;
    mean.curve.names = bags.front().result->curve.names;
    for (std::size_t b = 0; b < bags.size(); ++b) {
      TrainResult& own = *bags[b].result;
      models.push_back(own.model);
      *report.num_rounds += own.report.num_rounds.value_or(0);
      num_kept += own.report.best_round.value_or(0);
      mean.is_interrupted = mean.is_interrupted || own.is_interrupted;
      mean.may_go_on = mean.may_go_on || own.may_go_on;  // the others end where they did
      for (std::size_t r = 0; r < own.curve.rounds.size(); ++r) {
        mean.curve.rounds.push_back(std::move(own.curve.rounds[r]));
        if (!own.curve.costs.empty()) mean.curve.costs.push_back(own.curve.costs[r]);
        mean.curve.places.push_back({.bag = b + 1, .round = r + 1});
      }
      bags[b].report.num_rounds = own.report.num_rounds;
      bags[b].report.num_trees = own.report.num_trees;
      if (!std::isnan(own.best_metric)) bags[b].report.value = own.best_metric;
      report.bags.push_back(bags[b].report);
    }
    mean.is_interrupted = mean.is_interrupted || bags.size() < num_wanted;
    mean.model.body = mean_model(models).body;
    report.best_round = rounded_mean(num_kept, bags.size());
    if (bagging_.stop_on == StopOn::kValid) mean.length = {{"trees", *report.best_round}};
    describe(bags, num_wanted, mean);
    measure(task, mean, context);
    return mean;
  }

  void describe(const std::vector<Bag>& bags, std::size_t num_wanted, TrainResult& mean) const {
    const TrainReport& first = bags.front().result->report;
    TrainReport& report = mean.report;
    const auto has_trees = [](const Bag& bag) { return bag.result->report.num_trees.has_value(); };
    if (std::ranges::all_of(bags, has_trees)) report.num_trees = num_parts_of(mean.model);
    report.is_sampled = first.is_sampled;
    const bool is_by_bag = bagging_.stop_on == StopOn::kBag;
    report.stop_metric = stopping_name(method_->watch(), is_by_bag ? "held-out" : "valid");
    report.outcome =
        fmt::format("{} of {} bags, {} rounds", bags.size(), num_wanted, *report.num_rounds);
    report.kept = fmt::format("{} {} of {} of {} bags", num_parts_of(mean.model),
                              parts_of(mean.model), bags.size(), num_wanted);
    if (const MeanCost cost = mean_cost(mean.curve.costs); cost.num_rounds > 0) {
      report.row_share = cost.row_share;
      report.ms_per_tree = 1e3 * cost.seconds;
    }
  }

  // Of the mean model; the bags' own metrics say nothing of it.
  void measure(const TrainTask& task, TrainResult& mean, const Context& context) const {
    const WatchParams& watch = std::as_const(*method_).watch();
    if (watch.train_metric) measure_train(task, mean, context);
    if (task.data.valid() == nullptr) return;
    mean.report.valid = watched_values(mean.model, *task.data.valid(), watch, context);
    const std::string stopping = to_text(stop_metric(watch));
    for (const auto& [metric, value] : mean.report.valid) {
      if (metric == stopping) mean.best_metric = value;
    }
  }

  // Trees go by the bins: a method of trees may never have seen the values.
  void measure_train(const TrainTask& task, TrainResult& mean, const Context& context) const {
    const WatchParams& watch = std::as_const(*method_).watch();
    match(
        mean.model,
        [&](const Forest& forest) {
          const BinnedDataset rows = task.data.bins(method_->bin_params(), task.start, context);
          const std::vector<double> scores = forest_scores(forest, rows, context);
          for (const RoundMetric& metric :
               round_metrics("", 0, watched_metrics(watch), watch.convention())) {
            mean.report.train.emplace_back(metric.name.substr(1),
                                           metric.function(rows, scores, context));
          }
        },
        [&](const auto&) {
          mean.report.train = watched_values(mean.model, task.data.values(context), watch, context);
        });
  }

  std::unique_ptr<Method> method_;
  BagParams bagging_;
};

}  // namespace

std::unique_ptr<Method> make_bagged(std::unique_ptr<Method> method, const BagParams& bagging) {
  return std::make_unique<BaggedMethod>(std::move(method), bagging);
}

}  // namespace glassrank
