#include "glassrank/methods/training/random_search.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/data/split.h"
#include "glassrank/methods/lambdamart/cleaned_lambdamart.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/methods/training/search_space.h"

namespace glassrank {
namespace {

bool changes_bins(std::span<const SearchRange> ranges) {
  const std::vector<ParamInfo> bins = list_params(BinParams{});
  return std::ranges::any_of(ranges, [&](const SearchRange& range) {
    return std::ranges::find(bins, range.name, &ParamInfo::name) != bins.end();
  });
}

constexpr std::size_t kUsualTrials = 16;

bool are_choices(std::span<const SearchRange> ranges) {
  return std::ranges::none_of(ranges,
                              [](const SearchRange& range) { return range.choices.empty(); });
}

std::size_t most_trials(const SearchParams& search, std::span<const SearchRange> ranges) {
  if (search.trials > 0) return static_cast<std::size_t>(search.trials);
  return are_choices(ranges) && num_sets(ranges) <= kLargestGrid ? kLargestGrid : kUsualTrials;
}

std::size_t num_rungs(const SearchParams& search, std::span<const SearchRange> ranges) {
  if (search.rungs > 0) return static_cast<std::size_t>(search.rungs);
  return num_sets(ranges) <= most_trials(search, ranges) ? 1 : 3;
}

class Search {
 public:
  Search(std::span<const SearchSplit> splits, const LambdamartParams& params,
         const SearchParams& search, const Context& context)
      : splits_(splits),
        ranges_(parse_search_space(search.ranges, params)),
        num_rungs_(num_rungs(search, ranges_)),
        num_trees_(params.boosting.num_trees),
        outer_(context),
        context_(context) {
    context_.progress_sink = nullptr;
    if (!changes_bins(ranges_)) {
      for (const SearchSplit& split : splits_) shared_.push_back(prepare(split, params));
    }
    const std::size_t num_all = num_sets(ranges_);
    if (search.trials == 0 && are_choices(ranges_) && num_all > kLargestGrid) {
      context.info(fmt::format(
          "the choices make {} sets: {} of them are drawn; --search.trials says how many",
          num_all == kUncounted ? "too many" : fmt::to_string(num_all), kUsualTrials));
    }
    for (auto& values : search_sets(ranges_, most_trials(search, ranges_), context_.seed)) {
      trials_.push_back(make_trial(std::move(values), params));
    }
    so_far_.resize(trials_.size(), std::vector<std::optional<LambdamartResult>>(splits_.size()));
    cleanings_.resize(trials_.size(), std::vector<std::optional<Cleaning>>(splits_.size()));
  }

  SearchResult run(const std::string& metric) {
    std::vector<std::size_t> running(trials_.size());
    for (std::size_t t = 0; t < running.size(); ++t) running[t] = t;
    Progress progress(outer_, "search", "runs", num_runs());
    for (std::size_t rung = 1; rung <= num_rungs_; ++rung) {
      for (const std::size_t t : running) {
        advance(t, rung);
        progress.add(1);
        progress.report(fmt::format("trial {} {} {:.5f}", t + 1, metric, trials_[t].value));
      }
      sort_by_value(running);
      running.resize((running.size() + 1) / 2);
    }
    SearchResult result{.metric = metric, .trials = {}, .forest = {}, .bags = {}, .cleaning = {}};
    std::vector<std::size_t> order(trials_.size());
    for (std::size_t t = 0; t < order.size(); ++t) order[t] = t;
    sort_by_value(order);
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::size_t t) { return trials_[t].rung; });
    const LambdamartResult& best = *so_far_[order.front()].front();
    result.forest = best.forest;
    if (best.ilmart && best.ilmart->bags) result.bags = best.ilmart->bags->forests;
    if (trials_[order.front()].params.clean.method != CleanMethod::kNone) {
      result.cleaning = cleanings_[order.front()].front()->summary;
    }
    for (const std::size_t t : order) result.trials.push_back(trials_[t]);
    return result;
  }

 private:
  LambdamartData prepare(const SearchSplit& split, const LambdamartParams& params) const {
    return prepare_lambdamart(split.train, &split.valid, params, context_);
  }

  Trial make_trial(std::vector<std::string> values, const LambdamartParams& params) const {
    Trial trial{.number = trials_.size() + 1, .values = {}, .params = params};
    for (std::size_t r = 0; r < ranges_.size(); ++r) {
      set_param(trial.params, ranges_[r].name, {values[r]});
      trial.values.emplace_back(ranges_[r].name, std::move(values[r]));
    }
    try {  // before any training
      make_sampler(trial.params.sample);
      make_objective(trial.params.objective, context_.seed);
      check_clean(trial.params.clean, clean_setting(trial.params, true));
    } catch (Error& error) {
      error.add_context(fmt::format("trial {}", trial.number));
      throw;
    }
    return trial;
  }

  std::size_t num_runs() const {
    std::size_t runs = 0;
    std::size_t running = trials_.size();
    for (std::size_t rung = 0; rung < num_rungs_; ++rung) {
      runs += running;
      running = (running + 1) / 2;
    }
    return runs;
  }

  // num_trees / 2^(rungs left), rounded up.
  int budget(int num_trees, std::size_t rung) const {
    const double share = std::ldexp(1.0, -static_cast<int>(num_rungs_ - rung));
    return static_cast<int>(std::ceil(share * num_trees));
  }

  void advance(std::size_t t, std::size_t rung) {
    Trial& trial = trials_[t];
    LambdamartParams params = trial.params;
    params.boosting.num_trees = budget(num_trees_, rung);
    if (params.ilmart) {
      params.ilmart->interaction_trees = budget(params.ilmart->interaction_trees, rung);
    }
    params.train_metric = false;
    std::vector<double> values;
    std::vector<std::size_t> counts;
    std::vector<std::size_t> mains;
    for (std::size_t s = 0; s < splits_.size(); ++s) {
      std::optional<LambdamartResult>& result = so_far_[t][s];
      if (!result || result->end == BoostingEnd::kAllRounds) {
        const CleanedRun run = result ? run_after(*result) : CleanedRun{};
        result = shared_.empty() ? train_trial(t, s, prepare(splits_[s], params), params, run)
                                 : train_trial(t, s, shared_[s], params, run);
        context_.check_stop();
      }
      values.push_back(result->best_metric);
      counts.push_back(result->best_round);
      if (result->ilmart) mains.push_back(result->ilmart->main_trees);
    }
    trial.rung = rung;
    trial.value = spread_of(values).mean;
    trial.num_trees = mean_trees(counts);
    if (!mains.empty()) trial.num_main_trees = std::min(mean_trees(mains), trial.num_trees);
  }

  // What a run of the next rung goes on from. Interactions belong to the main effects they came
  // after.
  static CleanedRun run_after(const LambdamartResult& result) {
    CleanedRun run;
    if (result.ilmart && result.ilmart->bags) return run;  // bags keep no trees to go on from
    if (result.ilmart) run.main.resumed = result.ilmart->main_grown;
    const bool has_same_start =
        !result.ilmart || (result.ilmart->began_interactions && !result.ilmart->main_may_go_on);
    if (has_same_start) run.final.resumed = result.grown;
    return run;
  }

  // The training rows are cleaned once, by a base model of the trial's parameters and full length.
  LambdamartResult train_trial(std::size_t t, std::size_t s, const LambdamartData& data,
                               const LambdamartParams& params, const CleanedRun& run) {
    std::optional<Cleaning>& cleaning = cleanings_[t][s];
    if (!cleaning) {
      cleaning = clean_for_lambdamart(splits_[s].train, data, trials_[t].params, {}, context_);
    }
    return train_on_cleaned(data, *cleaning, params, run, context_);
  }

  // Best first. A run without a tree has no value (NaN) and comes last.
  void sort_by_value(std::vector<std::size_t>& numbers) const {
    const auto key = [&](std::size_t t) {
      const double value = trials_[t].value;
      return std::pair(std::isnan(value) ? HUGE_VAL : -value, t);
    };
    std::ranges::sort(numbers, {}, key);
  }

  std::span<const SearchSplit> splits_;
  std::vector<SearchRange> ranges_;
  std::size_t num_rungs_;
  int num_trees_;
  const Context& outer_;
  Context context_;                     // without a progress line of each run
  std::vector<LambdamartData> shared_;  // per split; empty: trials have bins of their own
  std::vector<Trial> trials_;
  std::vector<std::vector<std::optional<LambdamartResult>>> so_far_;  // per trial and split
  std::vector<std::vector<std::optional<Cleaning>>> cleanings_;       // per trial and split
};

}  // namespace

void SearchParams::visit(ParamVisitor& visitor) {
  visitor.field("ranges", ranges,
                "search for parameters in these ranges, as num_leaves=16..128 or "
                "learning_rate=0.02..0.2:log, or in a TOML file of them",
                {.value_name = "RANGE,...", .alias = "search"});
  visitor.field("trials", trials,
                "parameter sets drawn; 0: all of a grid of choices (a|b|c), up to 64, otherwise 16",
                Range{.low = 0});
  visitor.field(
      "rungs", rungs,
      "rounds of halving, each with twice the trees for the better half; 1 trains every trial "
      "whole; 0: 1 where every set is tried, otherwise 3",
      Range{.low = 0, .high = 20});
}

std::vector<SearchSplit> fold_splits(const Dataset& data, int num_folds, const Context& context) {
  std::vector<SearchSplit> splits;
  for (const Fold& fold : fold_queries(data.num_queries(), num_folds, context.seed)) {
    splits.push_back({.train = select_queries(data, fold.train).materialise(),
                      .valid = select_queries(data, fold.valid).materialise()});
  }
  return splits;
}

SearchResult random_search(std::span<const SearchSplit> splits, const LambdamartParams& params,
                           const SearchParams& search, const Context& context) {
  if (splits.empty()) fail(ErrorKind::kUsage, "a search needs validation data or folds");
  if (params.clean.tune) {
    fail(ErrorKind::kUsage,
         "clean.tune does not go with a search; search for clean.start and clean.type instead");
  }
  return Search(splits, params, search, context).run(stopping_name(params));
}

}  // namespace glassrank
