#include "glassrank/methods/training/random_search.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/data/split.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/methods/training/search_space.h"

namespace glassrank {
namespace {

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
  Search(std::span<const SearchSplit> splits, const Method& method, const SearchParams& search,
         const Context& context)
      : ranges_(parse_search_space(search.ranges, method)),
        num_rungs_(num_rungs(search, ranges_)),
        outer_(context),
        context_(context) {
    context_.progress_sink = nullptr;
    for (const SearchSplit& split : splits) data_.emplace_back(split.train, split.valid);
    const std::size_t num_all = num_sets(ranges_);
    if (search.trials == 0 && are_choices(ranges_) && num_all > kLargestGrid) {
      context.info(fmt::format(
          "the choices make {} sets: {} of them are drawn; --search.trials says how many",
          num_all == kUncounted ? "too many" : fmt::to_string(num_all), kUsualTrials));
    }
    for (auto& values : search_sets(ranges_, most_trials(search, ranges_), context_.seed)) {
      trials_.push_back(make_trial(std::move(values), method));
    }
    runs_.resize(trials_.size());
    for (std::vector<Run>& runs : runs_) runs.resize(data_.size());
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
    SearchResult result{.metric = metric, .trials = {}, .best = {}};
    std::vector<std::size_t> order(trials_.size());
    for (std::size_t t = 0; t < order.size(); ++t) order[t] = t;
    sort_by_value(order);
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::size_t t) { return trials_[t].rung; });
    result.best = *std::move(runs_[order.front()].front().result);
    for (const std::size_t t : order) result.trials.push_back(trials_[t]);
    return result;
  }

 private:
  // A trial on one split; what the next rung goes on from is kept.
  struct Run {
    std::optional<TrainResult> result;
    double value = 0;
    MemoryCheckpoints checkpoints;
  };

  Trial make_trial(std::vector<std::string> values, const Method& method) const {
    std::unique_ptr<Method> own = method.clone();
    Trial trial{.number = trials_.size() + 1, .values = {}, .method = nullptr};
    for (std::size_t r = 0; r < ranges_.size(); ++r) {
      set_searched(*own, ranges_[r].name, values[r]);
      trial.values.emplace_back(ranges_[r].name, std::move(values[r]));
    }
    try {  // before any training
      own->check({.has_valid = true});
    } catch (Error& error) {
      error.add_context(fmt::format("trial {}", trial.number));
      throw;
    }
    trial.method = std::move(own);
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

  void advance(std::size_t t, std::size_t rung) {
    Trial& trial = trials_[t];
    const std::unique_ptr<Method> method = trial.method->clone();
    method->watch().train_metric = false;
    const int num_left = static_cast<int>(num_rungs_ - rung);
    if (num_left > 0) method->scale_rounds(std::ldexp(1.0, -num_left));
    std::vector<double> values;
    std::vector<TrainingLength> lengths;
    for (std::size_t s = 0; s < data_.size(); ++s) {
      Run& run = runs_[t][s];
      if (!run.result || run.result->may_go_on) {
        run.result = method->train({.data = data_[s], .checkpoints = &run.checkpoints}, context_);
        context_.check_stop_anywhere();
        run.value = valid_metric(*run.result, *method, data_[s], context_);
      }
      values.push_back(run.value);
      lengths.push_back(run.result->length);
    }
    trial.rung = rung;
    trial.value = spread_of(values).mean;
    trial.length = mean_length(lengths);
  }

  // Best first. A run without a tree has no value (NaN) and comes last.
  void sort_by_value(std::vector<std::size_t>& numbers) const {
    const auto key = [&](std::size_t t) {
      const double value = trials_[t].value;
      return std::pair(std::isnan(value) ? HUGE_VAL : -value, t);
    };
    std::ranges::sort(numbers, {}, key);
  }

  std::vector<SearchRange> ranges_;
  std::size_t num_rungs_;
  const Context& outer_;
  Context context_;                 // without a progress line of each run
  std::vector<TrainingData> data_;  // per split; trials share what they ask of it
  std::vector<Trial> trials_;
  std::vector<std::vector<Run>> runs_;  // per trial and split
};

}  // namespace

void SearchParams::visit(ParamVisitor& visitor) {
  visitor.field("ranges", ranges,
                "search for parameters in these ranges, as num_leaves=16..128 or "
                "learning_rate=0.02..0.2:log, or in a TOML file of them",
                {.value_name = "RANGE,...", .file = FileUse::kInput, .alias = "search"});
  visitor.section("advanced");
  visitor.field("trials", trials,
                "number of parameter sets to try; 0 is every combination if there are choices "
                "(a|b|c) only and at most 64 of them, otherwise 16 drawn at random",
                Range{.low = 0});
  visitor.field(
      "rungs", rungs,
      "number of rounds of successive halving: in each, the better half of the trials gets twice "
      "the trees; 1 trains every trial in full; 0 is 1 if every combination is tried, otherwise 3",
      Range{.low = 0, .high = 20});
}

std::vector<SearchSplit> fold_splits(const Dataset& data, int num_folds, const Context& context) {
  std::vector<SearchSplit> splits;
  for (const Fold& fold : fold_queries(data.queries(), num_folds, context)) {
    splits.push_back({.train = select_queries(data, fold.train).materialise(),
                      .valid = select_queries(data, fold.valid).materialise()});
  }
  return splits;
}

void Trial::visit(ResultVisitor& visitor) const {
  visitor.field("trial", number, "its number, in the order drawn");
  visitor.field("rung", rung, "rounds of halving it survived");
  for (const auto& [part, count] : length) {
    visitor.field(fmt::format("num_{}", part), count, "how long its model is, mean over splits");
  }
  visitor.field("value", value, "of the stop metric, mean over splits");
  std::vector<std::string> drawn;
  for (const auto& [name, text] : values) drawn.push_back(fmt::format("{}={}", name, text));
  visitor.field("values", drawn, "what was drawn, parameter=value");
}

void SearchResult::visit(ResultVisitor& visitor) const {
  visitor.field("metric", metric, "what trials are compared by");
  visitor.list("trials", trials, "parameter sets, best first");
}

SearchResult random_search(std::span<const SearchSplit> splits, const Method& method,
                           const SearchParams& search, const Context& context) {
  if (splits.empty()) fail(ErrorKind::kUsage, "a search needs validation data or folds");
  for (const ParamInfo& info : list_params(method)) {
    if (info.name != "clean.tune" || info.value != "true") continue;
    fail(ErrorKind::kUsage,
         "clean.tune does not go with a search; search for clean.start and clean.type instead");
  }
  return Search(splits, method, search, context).run(stopping_name(method.watch()));
}

}  // namespace glassrank
