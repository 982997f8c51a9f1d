#include "glassrank/methods/lambdamart/staged_training.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/data/select_rows.h"

namespace glassrank {
namespace {

LambdamartData without_rows(const LambdamartData& data, std::span<const std::uint32_t> left_out,
                            const Context& context) {
  LambdamartData cleaned = data;
  if (any_machine(*context.communicator, !left_out.empty())) {
    cleaned.train = select_rows(data.train, rows_without(left_out, data.train.num_rows()), context);
  }
  return cleaned;
}

// Whether the tree number `at` of `trees` is what a run that has grown those before it grows next.
bool grows_next(const LambdamartData& data, LambdamartParams params, LambdamartRun run,
                const Forest& trees, std::size_t at, const Context& context) {
  const std::size_t num_given = run.warm_start ? run.warm_start->trees().size() : 0;
  params.boosting.num_trees = static_cast<int>(at - num_given);
  params.patience = 0;
  run = {.warm_start = std::move(run.warm_start), .constraint = run.constraint};
  if (at > num_given + 1) run.resumed = trees.first_trees(at - 1);
  Context quiet = context;
  quiet.progress_sink = nullptr;
  quiet.stop = nullptr;  // one tree; an answer cut short would be a wrong one
  const Forest grown = train_lambdamart(data, params, run, quiet).all_trees;
  return grown.trees().size() == at && grown.trees()[at - 1] == trees.trees()[at - 1];
}

// How many of the trees of an interrupted run are of the stage that begins with run.warm_start and
// has `most` of them at most. Mostly all: only a stage that found no split left ended before, and
// from there on the trees are of other data. Trees are all a checkpoint holds, so the last one is
// grown again to see, and the border searched by halving where it is not the same.
std::size_t trees_of_stage(const LambdamartData& data, const LambdamartParams& params,
                           const LambdamartRun& run, const Forest& trees, std::size_t most,
                           const Context& context) {
  std::size_t low = run.warm_start ? run.warm_start->trees().size() : 0;
  std::size_t high = std::min(trees.trees().size(), most);
  std::size_t at = high;
  while (low < high) {
    if (grows_next(data, params, run, trees, at, context)) {
      low = at;
    } else {
      high = at - 1;
    }
    at = low + (high - low + 1) / 2;
  }
  return low;
}

// One stage of curr-sour after those in `so_far`.
LambdamartResult train_stage(const LambdamartData& data, LambdamartParams params,
                             const LambdamartRun& run, const LambdamartResult& so_far,
                             const Context& context) {
  const std::size_t num_given = run.warm_start ? run.warm_start->trees().size() : 0;
  const std::size_t done = so_far.num_rounds;
  const auto bound = static_cast<std::size_t>(params.boosting.num_trees);
  LambdamartRun stage_run = run;
  if (done > 0) stage_run.warm_start = so_far.all_trees;
  stage_run.resumed.reset();
  if (run.resumed && run.resumed->trees().size() > num_given + done) {
    const std::size_t replayed =
        trees_of_stage(data, params, stage_run, *run.resumed, num_given + bound, context);
    if (replayed > num_given + done) stage_run.resumed = run.resumed->first_trees(replayed);
  }
  params.boosting.num_trees = static_cast<int>(bound - done);
  LambdamartResult result = train_lambdamart(data, params, stage_run, context);
  if (result.best_round == 0 && done > 0) result.best_metric = so_far.best_metric;
  result.num_rounds += done;
  result.best_round += done;
  result.curve.insert(result.curve.begin(), so_far.curve.begin(), so_far.curve.end());
  result.costs.insert(result.costs.begin(), so_far.costs.begin(), so_far.costs.end());
  return result;
}

}  // namespace

LambdamartResult train_in_stages(const LambdamartData& data, std::span<const CleaningStage> stages,
                                 const LambdamartParams& params, const LambdamartRun& run,
                                 const Context& context) {
  if (stages.empty()) return train_lambdamart(data, params, run, context);
  LambdamartResult result;
  const auto num_trees = static_cast<std::size_t>(params.boosting.num_trees);
  for (const CleaningStage& stage : stages) {
    if (result.num_rounds >= num_trees) return result;
    LambdamartParams part = params;
    part.boosting.num_trees = static_cast<int>(std::min(stage.end, num_trees));
    if (stage.end < num_trees) part.patience = 0;
    // Stopped here, the training that follows ends at once with what there is.
    const LambdamartData left = without_rows(data, stage.left_out, context.finishing());
    result = train_stage(left, part, run, result, context);
    if (result.end == BoostingEnd::kNoSplitLeft && result.num_rounds < stage.end) {
      context.info(fmt::format(
          "no split is left at tree {} without the documents kept back up to tree {}; the next of "
          "them join now",
          result.num_rounds + 1, stage.end));
    } else if (result.end != BoostingEnd::kAllRounds) {
      return result;
    }
  }
  if (result.num_rounds >= num_trees) return result;
  return train_stage(data, params, run, result, context);
}

BoostingResult train_base(const LambdamartData& data, LambdamartParams params, LambdamartRun run,
                          const BaseTask& task, const Context& context) {
  params.boosting.num_trees = static_cast<int>(task.num_trees);
  // Metrics cost time; only an adaptive sampler watches them, the one it has in the final training.
  const bool is_watched = params.sample.adaptive != AdaptiveStrategy::kNone;
  params.watch.train_metric = is_watched && params.watch.train_metric;
  if (!task.stops_early) params.patience = 0;
  if (task.observer != nullptr) run.observers.push_back(task.observer);
  LambdamartData rows = data;
  if (!task.stops_early && !is_watched) rows.valid.reset();
  LambdamartResult base = train_lambdamart(rows, params, run, context);
  return {.forest = std::move(base.forest),
          .all_trees = std::move(base.all_trees),
          .num_rounds = base.num_rounds,
          .end = base.end};
}

}  // namespace glassrank
