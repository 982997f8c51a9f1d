#include "glassrank/methods/cleaners/sour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/boosting/tree/binned_tree.h"
#include "glassrank/data/relevance.h"
#include "glassrank/methods/cleaners/outlier_tracker.h"
#include "glassrank/metrics/ranking.h"

namespace glassrank {
namespace {

constexpr std::array kSourTypes = {DocumentType::kNeg, DocumentType::kPos, DocumentType::kAll};
constexpr std::array kSourShares = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98};

void check_cutoff(const CleanParams& params, const LearnerSetting& setting) {
  if (params.cutoff != 0 || setting.cutoff != kNoCutoff) return;
  fail(ErrorKind::kUsage,
       "clean.cutoff is needed: the stop metric has none, and outliers are told by the top");
}

void check_window(const CleanParams& params, const LearnerSetting& setting) {
  const auto end = static_cast<std::size_t>(params.end);
  if (end > setting.num_trees) {
    fail(ErrorKind::kUsage, "clean.end {} is beyond the {} trees of the model (num_trees)", end,
         setting.num_trees);
  }
  const std::size_t last = end == 0 ? setting.num_trees : end;
  if (last > OutlierTracker::kMaxRounds) {
    fail(ErrorKind::kUsage,
         "outliers are followed over {} rounds at most; set clean.end, which is num_trees {} now",
         OutlierTracker::kMaxRounds, last);
  }
  if (static_cast<std::size_t>(params.start) > last) {
    fail(ErrorKind::kUsage, "clean.start {} is after the last round of the window, {}",
         params.start.value, last);
  }
}

// clean.stages in trees. Of small models shares may fall on the same tree, or on the last one,
// after which nobody could join: these are left out.
std::vector<double> stage_trees(const CleanParams& params, std::size_t num_trees) {
  std::vector<double> trees;
  for (const double stage : params.stages) {
    if (stage >= 1) {
      trees.push_back(stage);
      continue;
    }
    const double tree = std::ceil(stage * static_cast<double>(num_trees));
    const bool is_new = trees.empty() || tree > trees.back();
    if (is_new && tree < static_cast<double>(num_trees)) trees.push_back(tree);
  }
  return trees;
}

void check_stages(const CleanParams& params, const LearnerSetting& setting) {
  if (params.end != 0) {
    fail(ErrorKind::kUsage, "clean.end {}: the windows of curr-sour end at clean.stages",
         params.end);
  }
  if (params.stages.empty()) fail(ErrorKind::kUsage, "clean.stages: at least one is needed");
  double before = 0;
  for (const double stage : params.stages) {
    if ((stage > 1 && stage != std::floor(stage)) || stage <= before) {
      fail(ErrorKind::kUsage,
           "clean.stages: {} after {}; stages are whole numbers, or shares below 1, that ascend",
           stage, before);
    }
    before = stage;
  }
  const std::vector<double> trees = stage_trees(params, setting.num_trees);
  if (trees.empty()) {
    fail(ErrorKind::kUsage, "clean.stages: a model of {} trees (num_trees) has no room for stages",
         setting.num_trees);
  }
  if (trees.front() < params.start) {
    fail(ErrorKind::kUsage, "clean.start {} is after the first of clean.stages, {}",
         params.start.value, trees.front());
  }
  if (trees.back() >= static_cast<double>(setting.num_trees)) {
    fail(ErrorKind::kUsage, "clean.stages: {} is not below the {} trees of the model (num_trees)",
         trees.back(), setting.num_trees);
  }
}

// With the window's end and the cutoff filled in.
CleanParams resolved(const CleanInput& input, CleanParams params) {
  if (params.method == CleanMethod::kCurrSour) {
    params.stages = stage_trees(params, input.num_trees);
    params.end = static_cast<int>(params.stages.back());
  } else if (params.end == 0) {
    params.end = static_cast<int>(input.num_trees);
  }
  if (params.cutoff == 0) params.cutoff = static_cast<int>(input.cutoff);
  params.tune = false;
  return params;
}

OutlierRule rule_of(const CleanParams& params) {
  return {.definition = params.definition,
          .cutoff = static_cast<std::size_t>(params.cutoff),
          .negative_grade = params.negative_grade};
}

// Outliers take one of each kind: without, the base training would be for nothing.
void check_kinds(const BinnedDataset& data, const CleanParams& params, const Context& context) {
  const auto num_own = std::ranges::count_if(
      data.grades(), [&](float grade) { return is_relevant(grade, params.negative_grade); });
  const std::size_t num_relevant = count_everywhere(static_cast<std::size_t>(num_own), context);
  if (num_relevant == 0) {
    fail(ErrorKind::kInput,
         "no document has a grade above clean.negative_grade {}: there is nothing to rank wrongly",
         params.negative_grade);
  }
  if (num_relevant == data.num_all_rows()) {
    fail(ErrorKind::kInput,
         "every document has a grade above clean.negative_grade {}: there is nothing to rank "
         "wrongly",
         params.negative_grade);
  }
}

BoostingResult train_base(const CleanInput& input, const BaseTask& task) {
  BoostingResult base = input.train_base(task);
  if (base.end == BoostingEnd::kInterrupted) {
    fail(ErrorKind::kInterrupted, "stopped after {} rounds of the base model of cleaning",
         base.num_rounds);
  }
  return base;
}

OutlierTracker track(const CleanInput& input, const CleanParams& params, const Context& context) {
  OutlierTracker::Setup setup{.rule = rule_of(params)};
  if (params.method == CleanMethod::kPSour) {
    setup.count_from = static_cast<std::size_t>(params.start);
  }
  if (params.method == CleanMethod::kCurrSour) {
    setup.snapshots.assign(params.stages.begin(), params.stages.end());
    setup.snapshot_start = static_cast<std::size_t>(params.start);
  }
  OutlierTracker tracker(input.train, std::move(setup), context);
  const auto end = static_cast<std::size_t>(params.end);
  train_base(input, {.num_trees = end, .observer = &tracker});
  tracker.repeat_until(end);
  return tracker;
}

std::string summary_of(const Cleaning& cleaning, std::string_view window, std::size_t num_rows) {
  return fmt::format(
      "{} {}, top {}, {}: {} of {} documents ({:.2f} %) dropped", name_of(cleaning.params.method),
      name_of(cleaning.params.type), cleaning.params.cutoff, window, cleaning.num_dropped, num_rows,
      100.0 * static_cast<double>(cleaning.num_dropped) / static_cast<double>(num_rows));
}

// sour and p-sour, from what the tracker saw.
Cleaning pick(const CleanInput& input, const CleanParams& params, const OutlierTracker& tracker,
              const Context& context) {
  Cleaning cleaning{.params = params, .dropped = {}};
  const bool by_share = params.method == CleanMethod::kPSour;
  const auto start = static_cast<std::size_t>(params.start);
  for (std::size_t row = 0; row < input.train.num_rows(); ++row) {
    if (!is_of_type(input.train.grades()[row], params.type, params.negative_grade)) continue;
    const double share = tracker.share(row);
    if (by_share ? share > params.p : tracker.is_consistent(row, start)) {
      cleaning.dropped.push_back(
          {.row = static_cast<std::uint32_t>(row), .evidence = static_cast<float>(share)});
    }
  }
  cleaning.num_dropped = count_everywhere(cleaning.dropped.size(), context);
  const std::string window = fmt::format("rounds {} to {}", params.start.value, params.end);
  cleaning.summary = summary_of(
      cleaning, by_share ? fmt::format("more than {} of {}", params.p.value, window) : window,
      input.train.num_all_rows());
  return cleaning;
}

Cleaning pick_stages(const CleanInput& input, const CleanParams& params,
                     const OutlierTracker& tracker, const Context& context) {
  Cleaning cleaning{.params = params, .dropped = {}};
  std::string counts;
  for (std::size_t s = 0; s < params.stages.size(); ++s) {
    CleaningStage stage{.end = static_cast<std::size_t>(params.stages[s]), .left_out = {}};
    if (tracker.num_rounds() > 0) {
      std::ranges::copy_if(
          tracker.snapshot(s), std::back_inserter(stage.left_out), [&](std::uint32_t row) {
            return is_of_type(input.train.grades()[row], params.type, params.negative_grade);
          });
    }
    const std::size_t num_left_out = count_everywhere(stage.left_out.size(), context);
    if (num_left_out == input.train.num_all_rows()) {
      fail(ErrorKind::kInput, "curr-sour would leave out all {} documents up to tree {}",
           input.train.num_all_rows(), stage.end);
    }
    counts += fmt::format("{}{} up to tree {}", s == 0 ? "" : ", ", num_left_out, stage.end);
    cleaning.stages.push_back(std::move(stage));
  }
  cleaning.summary =
      fmt::format("curr-sour {}, from round {}: of {} documents left out {}", name_of(params.type),
                  params.start.value, input.train.num_all_rows(), counts);
  return cleaning;
}

// The outliers of the base model's best round, all types.
struct LastRound {
  std::vector<std::uint32_t> rows;
  std::size_t num_trees = 0;
};

LastRound last_round(const CleanInput& input, const CleanParams& params, const Context& context) {
  const BoostingResult base =
      train_base(input, {.num_trees = static_cast<std::size_t>(params.end), .stops_early = true});
  const std::vector<double> scores = forest_scores(base.forest, input.train, context);
  OutlierTracker tracker(input.train, {.rule = rule_of(params)}, context);
  tracker.add_round(scores);
  LastRound last{.rows = {}, .num_trees = base.forest.trees().size()};
  for (std::size_t row = 0; row < scores.size(); ++row) {
    if (tracker.is_consistent(row, 1)) last.rows.push_back(static_cast<std::uint32_t>(row));
  }
  return last;
}

Cleaning pick_last(const CleanInput& input, const CleanParams& params, const LastRound& last,
                   const Context& context) {
  Cleaning cleaning{.params = params, .dropped = {}};
  for (const std::uint32_t row : last.rows) {
    if (is_of_type(input.train.grades()[row], params.type, params.negative_grade)) {
      cleaning.dropped.push_back({.row = row, .evidence = 1});
    }
  }
  cleaning.num_dropped = count_everywhere(cleaning.dropped.size(), context);
  // The window that was looked at.
  cleaning.params.end = static_cast<int>(std::max<std::size_t>(last.num_trees, 1));
  cleaning.params.start = cleaning.params.end;
  cleaning.summary = summary_of(cleaning, fmt::format("after round {}", last.num_trees),
                                input.train.num_all_rows());
  return cleaning;
}

// What is tried of an axis: the value given, or all.
template <typename T>
std::vector<T> tried(const Tunable<T>& given, std::vector<T> all) {
  return given.is_given ? std::vector<T>{given.value} : std::move(all);
}

// 1, and every tenth of the last round.
std::vector<int> grid_starts(int end) {
  std::vector<int> starts = {1};
  for (int tenth = 1; tenth < 10; ++tenth) {
    const int start = static_cast<int>(static_cast<std::int64_t>(end) * tenth / 10);
    if (start > starts.back()) starts.push_back(start);
  }
  return starts;
}

// The method of `params` is one of the four.
Cleaning clean_by_sour(const CleanInput& input, const CleanParams& given, const Context& context) {
  const CleanParams params = resolved(input, given);
  check_kinds(input.train, params, context);
  if (params.method == CleanMethod::kLastSour) {
    return pick_last(input, params, last_round(input, params, context), context);
  }
  const OutlierTracker tracker = track(input, params, context);
  if (params.method == CleanMethod::kCurrSour) return pick_stages(input, params, tracker, context);
  return pick(input, params, tracker, context);
}

// sour: starts 1 and every tenth of the window's end, all three types; p-sour: several shares and
// types; last-sour: types.
std::vector<Cleaning> sour_grid(const CleanInput& input, const CleanParams& given,
                                const Context& context) {
  CleanParams params = resolved(input, given);
  check_kinds(input.train, params, context);
  const std::vector<DocumentType> types = tried(given.type, {kSourTypes.begin(), kSourTypes.end()});
  std::vector<Cleaning> grid;
  if (params.method == CleanMethod::kLastSour) {
    const LastRound last = last_round(input, params, context);
    for (const DocumentType type : types) {
      params.type = type;
      grid.push_back(pick_last(input, params, last, context));
    }
    return grid;
  }
  const OutlierTracker tracker = track(input, params, context);
  for (const DocumentType type : types) {
    params.type = type;
    if (params.method == CleanMethod::kPSour) {
      for (const double p : tried(given.p, {kSourShares.begin(), kSourShares.end()})) {
        params.p = p;
        grid.push_back(pick(input, params, tracker, context));
      }
      continue;
    }
    for (const int start : tried(given.start, grid_starts(params.end))) {
      params.start = start;
      grid.push_back(pick(input, params, tracker, context));
    }
  }
  return grid;
}

class SourCleaner : public Cleaner {
 public:
  CleanerTraits traits() const override {
    return {.follows_rounds = true, .evidence = "outlier_share"};
  }
  void check(const CleanParams& params, const LearnerSetting& setting) const override {
    check_cutoff(params, setting);
    check_window(params, setting);
  }
  Cleaning clean(const CleanInput& input, const CleanParams& params,
                 const Context& context) const final {
    return clean_by_sour(input, params, context);
  }
  std::vector<Cleaning> grid(const CleanInput& input, const CleanParams& params,
                             const Context& context) const final {
    return sour_grid(input, params, context);
  }
  std::span<const std::string_view> params() const override {
    static constexpr std::array<std::string_view, 6> kParams = {
        "type", "start", "end", "definition", "cutoff", "negative_grade"};
    return kParams;
  }
};

class PSourCleaner final : public SourCleaner {
 public:
  std::span<const std::string_view> params() const override {
    static constexpr std::array<std::string_view, 7> kParams = {
        "type", "start", "end", "p", "definition", "cutoff", "negative_grade"};
    return kParams;
  }
};

class LastSourCleaner final : public SourCleaner {
 public:
  CleanerTraits traits() const override {
    return {.follows_rounds = true, .needs_valid = true, .evidence = "outlier_share"};
  }
  void check(const CleanParams& params, const LearnerSetting& setting) const override {
    SourCleaner::check(params, setting);
    if (!setting.has_valid) {
      fail(ErrorKind::kUsage, "last-sour needs validation data: it goes by the best round on it");
    }
    if (!setting.stops_early) {
      fail(ErrorKind::kUsage, "last-sour needs patience above 0: it goes by the best round");
    }
  }
  std::span<const std::string_view> params() const override {
    static constexpr std::array<std::string_view, 5> kParams = {"type", "end", "definition",
                                                                "cutoff", "negative_grade"};
    return kParams;
  }
};

class CurrSourCleaner final : public SourCleaner {
 public:
  CleanerTraits traits() const override {
    return {.follows_rounds = true, .has_stages = true, .evidence = "outlier_share"};
  }
  void check(const CleanParams& params, const LearnerSetting& setting) const override {
    check_cutoff(params, setting);
    if (params.tune) fail(ErrorKind::kUsage, "curr-sour has nothing to tune");
    check_stages(params, setting);
  }
  std::span<const std::string_view> params() const override {
    static constexpr std::array<std::string_view, 7> kParams = {
        "type", "start", "end", "definition", "cutoff", "negative_grade", "stages"};
    return kParams;
  }
};

}  // namespace

const Cleaner& sour_cleaner() {
  static const SourCleaner cleaner;
  return cleaner;
}
const Cleaner& p_sour_cleaner() {
  static const PSourCleaner cleaner;
  return cleaner;
}
const Cleaner& last_sour_cleaner() {
  static const LastSourCleaner cleaner;
  return cleaner;
}
const Cleaner& curr_sour_cleaner() {
  static const CurrSourCleaner cleaner;
  return cleaner;
}

}  // namespace glassrank
