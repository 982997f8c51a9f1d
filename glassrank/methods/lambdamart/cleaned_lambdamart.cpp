#include "glassrank/methods/lambdamart/cleaned_lambdamart.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/data/keep_rows.h"
#include "glassrank/methods/ilmart/ilmart.h"
#include "glassrank/methods/ilmart/ilmart_bags.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {
namespace {

LambdamartData without_rows(const LambdamartData& data, std::span<const std::uint32_t> left_out,
                            const Context& context) {
  LambdamartData cleaned = data;
  if (!left_out.empty()) {
    cleaned.train = keep_rows(data.train, rows_without(left_out, data.train.num_rows()), context);
  }
  return cleaned;
}

// LambdaMART as cleaners see it.
BoostingResult train_base(const LambdamartData& data, LambdamartParams params, LambdamartRun run,
                          const BaseTask& task, const Context& context) {
  params.boosting.num_trees = static_cast<int>(task.num_trees);
  // Metrics cost time; only an adaptive sampler watches them, the one it has in the final training.
  const bool is_watched = params.sample.adaptive != AdaptiveStrategy::kNone;
  params.train_metric = is_watched && params.train_metric;
  params.ilmart.reset();
  if (!task.stops_early) params.patience = 0;
  if (task.observer != nullptr) run.observers.push_back(task.observer);
  LambdamartData rows = data;
  if (!task.stops_early && !is_watched) rows.valid.reset();
  LambdamartResult base = train_lambdamart(rows, params, run, context);
  return {.forest = std::move(base.forest),
          .grown = std::move(base.grown),
          .num_rounds = base.num_rounds,
          .end = base.end};
}

CleanInput clean_input(const Dataset& train, const LambdamartData& data,
                       const LambdamartParams& params, const LambdamartRun& base,
                       const Context& context) {
  return {
      .values = train,
      .train = data.train,
      .cutoff = parse_metrics(params.metric).front().cutoff,
      .num_trees = static_cast<std::size_t>(params.boosting.num_trees),
      .train_base = [&data, &params, &base, &context](const BaseTask& task) {
        context.info(fmt::format("training the base model of cleaning: {} rounds", task.num_trees));
        return train_base(data, params, base, task, context);
      }};
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
  const Forest grown = train_lambdamart(data, params, run, quiet).grown;
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
  if (done > 0) stage_run.warm_start = so_far.grown;
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

LambdamartResult train_stages(const LambdamartData& data, const Cleaning& cleaning,
                              const LambdamartParams& params, const LambdamartRun& run,
                              const Context& context) {
  LambdamartResult result;
  const auto num_trees = static_cast<std::size_t>(params.boosting.num_trees);
  for (const CleaningStage& stage : cleaning.stages) {
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

// The stages on some rows only, by their numbers there.
Cleaning stages_within(const Cleaning& cleaning, std::span<const std::uint32_t> rows) {
  Cleaning within = cleaning;
  for (CleaningStage& stage : within.stages) {
    std::vector<std::uint32_t> left_out;
    for (const std::uint32_t row : stage.left_out) {
      const auto place = std::ranges::lower_bound(rows, row);
      if (place == rows.end() || *place != row) continue;
      left_out.push_back(static_cast<std::uint32_t>(place - rows.begin()));
    }
    stage.left_out = std::move(left_out);
  }
  return within;
}

// Of equal metrics the one with fewer documents dropped; a run without trees has none (NaN).
bool is_better(const TunedCleaning& a, const TunedCleaning& b) {
  const auto value = [](const TunedCleaning& t) {
    return std::isnan(t.metric) ? -HUGE_VAL : t.metric;
  };
  return value(a) != value(b) ? value(a) > value(b) : a.num_dropped < b.num_dropped;
}

CleanedResult tune(const CleanInput& input, const LambdamartData& data,
                   const LambdamartParams& params, const CleanedRun& run, const Context& context) {
  const std::vector<Cleaning> grid = clean_grid(input, params.clean, context);
  CleanedResult best;
  Context quiet = context;  // one line for all runs
  quiet.progress_sink = nullptr;
  Progress progress(context, "tuning", "runs", grid.size());
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const Cleaning& cleaning = grid[i];
    TunedCleaning cell{.params = cleaning.params, .num_dropped = cleaning.dropped.size()};
    const auto same = std::ranges::find(grid.begin(), grid.begin() + static_cast<std::ptrdiff_t>(i),
                                        cleaning.dropped, &Cleaning::dropped);
    const auto at = static_cast<std::size_t>(same - grid.begin());
    if (at < i) {  // the same documents, the same model
      cell.num_trees = best.grid[at].num_trees;
      cell.metric = best.grid[at].metric;
    } else {
      LambdamartResult result = train_on_cleaned(
          data, cleaning, params, {.final = {.warm_start = run.final.warm_start}}, quiet);
      context.check_stop();
      cell.num_trees = result.best_round;
      cell.metric = result.best_metric;
      const bool leads = std::ranges::all_of(
          best.grid, [&](const TunedCleaning& other) { return is_better(cell, other); });
      if (leads) {
        best.result = std::move(result);
        best.cleaning = cleaning;
      }
      context.info(
          fmt::format("{}; {} {:.6f}", cleaning.summary, stopping_name(params), cell.metric));
    }
    best.grid.push_back(cell);
    progress.add(1);
    progress.report(cleaning.summary);
  }
  return best;
}

}  // namespace

CleanSetting clean_setting(const LambdamartParams& params, bool has_valid) {
  if (params.metric.empty()) fail(ErrorKind::kUsage, "metric: at least one is needed");
  return {.cutoff = parse_metric(params.metric.front()).cutoff,
          .num_trees = static_cast<std::size_t>(params.boosting.num_trees),
          .has_valid = has_valid,
          .stops_early = has_valid && params.patience > 0};
}

Cleaning clean_for_lambdamart(const Dataset& train, const LambdamartData& data,
                              const LambdamartParams& params, const LambdamartRun& base,
                              const Context& context) {
  Cleaning cleaning = clean(clean_input(train, data, params, base, context), params.clean, context);
  if (params.clean.method != CleanMethod::kNone) context.info(cleaning.summary);
  return cleaning;
}

LambdamartResult train_on_cleaned(const LambdamartData& data, const Cleaning& cleaning,
                                  const LambdamartParams& params, const CleanedRun& run,
                                  const Context& context) {
  LambdamartData left = data;  // stages leave out rows for a while only
  if (cleaning.stages.empty()) {
    std::vector<std::uint32_t> dropped;
    for (const DroppedRow& row : cleaning.dropped) dropped.push_back(row.row);
    left = without_rows(data, dropped, context);
  }
  const auto train = [&](const LambdamartRun& one) {
    return cleaning.stages.empty() ? train_lambdamart(left, params, one, context)
                                   : train_stages(data, cleaning, params, one, context);
  };
  if (!params.ilmart) return train(run.final);
  if (params.ilmart->is_bagged()) {
    const auto train_main = [&](const LambdamartData& bag, std::span<const std::uint32_t> rows,
                                const LambdamartRun& one, const Context& own) {
      return cleaning.stages.empty()
                 ? train_lambdamart(bag, params, one, own)
                 : train_stages(bag, stages_within(cleaning, rows), params, one, own);
    };
    return train_ilmart_bags(left, params, run.main, train_main, context);
  }
  const TreeFeatureSets constraint = one_feature_a_tree(data.train.num_features());
  LambdamartRun main = run.main;
  main.constraint = &constraint;
  return add_interactions(left, train(main), params, run.final, context);
}

CleanedResult train_cleaned(const Dataset& train, const LambdamartData& data,
                            const LambdamartParams& params, const CleanedRun& run,
                            const Context& context) {
  if (params.clean.tune) {
    return tune(clean_input(train, data, params, run.base, context), data, params, run, context);
  }
  CleanedResult cleaned;
  cleaned.cleaning = clean_for_lambdamart(train, data, params, run.base, context);
  cleaned.result = train_on_cleaned(data, cleaned.cleaning, params, run, context);
  return cleaned;
}

CleanedResult train_cleaned(const Dataset& train, const Dataset* valid,
                            const LambdamartParams& params, const Context& context) {
  return train_cleaned(train, prepare_lambdamart(train, valid, params, context), params, {},
                       context);
}

}  // namespace glassrank
