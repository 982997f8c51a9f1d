// A regression tree as a Method.

#include <algorithm>
#include <cmath>

#include "glassrank/data/shard.h"
#include "glassrank/methods/lambdamart/boosted_runs.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/graded_pairs.h"
#include "glassrank/methods/tree/tree.h"

namespace glassrank {
namespace {

constexpr int kMostLeaves = 65'536;

class TreeMethod final : public Method {
 public:
  explicit TreeMethod(TreeParams params) : params_(std::move(params)) {}

  std::string name() const override { return "tree"; }
  MethodTraits traits() const override { return {.can_be_bagged = true, .alone_because = {}}; }
  std::unique_ptr<Method> clone() const override { return std::make_unique<TreeMethod>(*this); }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  WatchParams& watch() override { return params_.watch; }
  BinParams bin_params() const override {
    return {.max_bins = params_.max_bins, .min_bin_rows = 1};
  }

  void check(const TrainSetting& /*setting*/) const override { stop_metric(params_.watch); }
  void prepare(const TrainTask& task, const Context& context) const override {
    task.data.bins(bin_params(), nullptr, context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    check_params(params_);
    const LambdamartParams boosting =
        one_tree(params_, shard_of(task.data.queries(), *context.communicator).num_rows);
    const LambdamartData data = boosted_data(task, boosting, context);
    check_features_differ(data.train);
    const LambdamartResult result = train_lambdamart(data, boosting, {.name = task.name}, context);
    if (result.end == BoostingEnd::kInterrupted) context.check_stop_anywhere();
    warn_without_splits(result, context);
    TrainResult trained = boosted_result(result, boosting, task);
    trained.may_go_on = false;
    trained.report.outcome.clear();  // there is nothing to stop
    return trained;
  }

  Rounds rounds() const override { return {.most = 1, .stops_early = false}; }
  void scale_rounds(double /*share*/) override {}
  void fix_length(const TrainingLength& /*length*/) override {}

 private:
  TreeParams params_;
};

}  // namespace

void TreeParams::visit(ParamVisitor& visitor) {
  visitor.section("model");
  visitor.field("max_depth", max_depth,
                "maximum number of splits on the path to a leaf; 0 for no limit", kNotNegative);
  visitor.field("num_leaves", num_leaves, "maximum number of leaves; 0 for no limit",
                Range{.low = 0, .high = kMostLeaves});
  visitor.field("min_split", min_split, "minimum share of the rows in a node that is split",
                kShare);
  visitor.field("min_leaf", min_leaf, "minimum share of the rows in a leaf", kShare);
  visitor.field("max_bins", max_bins, "maximum number of values of a feature that are told apart",
                Range{.low = 2, .high = 255});
  watch.visit(visitor);
}

LambdamartParams one_tree(const TreeParams& params, std::size_t num_rows) {
  const auto rows_of = [&](double share, std::int64_t least) {
    const double rows = std::ceil(share * static_cast<double>(num_rows));
    return std::max(static_cast<std::int64_t>(rows), least);
  };
  const std::int64_t min_leaf_rows = rows_of(params.min_leaf, 1);
  // No more than can be: a histogram is kept for every leaf there may be.
  std::int64_t most =
      std::min<std::int64_t>(kMostLeaves, static_cast<std::int64_t>(num_rows) / min_leaf_rows);
  if (params.max_depth > 0 && params.max_depth < 16) {
    most = std::min(most, std::int64_t{1} << params.max_depth);
  }
  if (params.num_leaves > 0) most = std::min<std::int64_t>(most, params.num_leaves);
  LambdamartParams boosting;
  boosting.boosting = {.num_trees = 1,
                       .learning_rate = 1,
                       .num_leaves = static_cast<int>(std::max<std::int64_t>(most, 1)),
                       .max_depth = params.max_depth,
                       .min_leaf_rows = min_leaf_rows,
                       .min_split_rows = rows_of(params.min_split, 2),
                       .min_leaf_hessian = 0,
                       .precision = Precision::kFull};
  boosting.objective.objective = "squared_error";
  boosting.bins = {.max_bins = params.max_bins, .min_bin_rows = 1};
  boosting.watch = params.watch;
  boosting.patience = 0;
  return boosting;
}

std::unique_ptr<Method> make_tree(TreeParams params) {
  return std::make_unique<TreeMethod>(std::move(params));
}

}  // namespace glassrank
