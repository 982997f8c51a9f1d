// A random forest as a Method.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/data/select_rows.h"
#include "glassrank/methods/lambdamart/boosted_runs.h"
#include "glassrank/methods/random_forest/random_forest.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/graded_pairs.h"
#include "glassrank/methods/training/round_metrics.h"

namespace glassrank {
namespace {

class RandomForestMethod final : public Method {
 public:
  explicit RandomForestMethod(RandomForestParams params) : params_(std::move(params)) {}

  std::string name() const override { return "random-forest"; }
  MethodTraits traits() const override {
    return {.can_be_bagged = true, .calls_back = true, .alone_because = {}};
  }
  std::unique_ptr<Method> clone() const override {
    return std::make_unique<RandomForestMethod>(*this);
  }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  WatchParams& watch() override { return params_.watch; }
  BinParams bin_params() const override { return {.max_bins = params_.max_bins}; }

  void check(const TrainSetting& /*setting*/) const override { stop_metric(params_.watch); }
  void prepare(const TrainTask& task, const Context& context) const override {
    task.data.bins(bin_params(), nullptr, context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    check_params(params_);
    const LambdamartParams boosting = boosting_params();
    const LambdamartData data = boosted_data(task, boosting, context);
    check_features_differ(data.train);
    FixedTarget target;
    QueryBagging sampler({.fraction = params_.query_fraction, .every = 1});
    LambdamartRun run = phase_run(task, {});
    run.objective = &target;
    run.sampler = &sampler;
    LambdamartResult result = train_lambdamart(data, boosting, run, context);
    if (result.end == BoostingEnd::kInterrupted && result.num_rounds == 0)
      context.check_stop_anywhere();
    const Forest grown = result.forest;
    warn_without_splits(result, context);
    result.forest = averaged(grown);
    TrainResult trained = boosted_result(result, boosting, task);
    if (result.end != BoostingEnd::kInterrupted)
      trained.report.outcome.clear();  // nothing stops it
    measure_out_of_bag(grown, data.train, sampler, context.finishing(), trained.report);
    return trained;
  }

  Rounds rounds() const override {
    return {.most = static_cast<std::size_t>(params_.num_trees), .stops_early = false};
  }
  void scale_rounds(double share) override {
    params_.num_trees = static_cast<int>(std::ceil(share * params_.num_trees));
  }
  void fix_length(const TrainingLength& /*length*/) override {}

 private:
  LambdamartParams boosting_params() const {
    LambdamartParams boosting;
    // The scores of boosting are the sum of the trees, not their mean: the same ranking.
    boosting.boosting = {.num_trees = params_.num_trees,
                         .learning_rate = 1,
                         .num_leaves = params_.num_leaves,
                         .max_depth = params_.max_depth,
                         .min_leaf_rows = params_.min_leaf_rows,
                         .min_leaf_hessian = 0,
                         .feature_fraction = params_.feature_fraction};
    boosting.objective.objective = "squared_error";
    boosting.bins = bin_params();
    boosting.watch = params_.watch;
    boosting.patience = 0;
    return boosting;
  }

  // Only queries that some tree has not seen count.
  void measure_out_of_bag(const Forest& grown, const BinnedDataset& rows, Sampler& sampler,
                          const Context& context, TrainReport& report) const {
    if (params_.query_fraction >= 1 || grown.trees().empty()) return;
    const OutOfBag found = out_of_bag(grown, rows, sampler, context);
    std::vector<std::uint32_t> counted;
    std::vector<double> scores;
    for (std::uint32_t r = 0; r < rows.num_rows(); ++r) {
      if (found.num_trees[r] == 0) continue;
      counted.push_back(r);
      scores.push_back(found.scores[r]);
    }
    if (!any_machine(*context.communicator, !counted.empty())) return;
    const bool drops_some = any_machine(*context.communicator, counted.size() < rows.num_rows());
    const BinnedDataset kept = drops_some ? select_rows(rows, counted, context) : rows;
    for (const RoundMetric& metric :
         round_metrics("", 0, watched_metrics(params_.watch), params_.watch.convention())) {
      report.out_of_bag.emplace_back(metric.name.substr(1), metric.function(kept, scores, context));
    }
  }

  RandomForestParams params_;
};

}  // namespace

std::unique_ptr<Method> make_random_forest(RandomForestParams params) {
  return std::make_unique<RandomForestMethod>(std::move(params));
}

}  // namespace glassrank
