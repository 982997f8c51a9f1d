#include "glassrank/methods/cleaners/cleaner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/methods/cleaners/isolation_cleaner.h"
#include "glassrank/methods/cleaners/outlier_tracker.h"
#include "glassrank/methods/cleaners/sour.h"
#include "glassrank/metrics/ranking.h"

namespace glassrank {
namespace {

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

void check_stages(const CleanParams& params, const LearnerSetting& setting) {
  if (params.end != 0) {
    fail(ErrorKind::kUsage, "clean.end {}: the windows of curr-sour end at clean.stages",
         params.end);
  }
  if (params.stages.empty()) fail(ErrorKind::kUsage, "clean.stages: at least one is needed");
  double before = 0;
  for (const double stage : params.stages) {
    if (stage != std::floor(stage) || stage <= before) {
      fail(ErrorKind::kUsage, "clean.stages: {} after {}; stages are whole numbers that ascend",
           stage, before);
    }
    before = stage;
  }
  if (params.stages.front() < params.start) {
    fail(ErrorKind::kUsage, "clean.start {} is after the first of clean.stages, {}",
         params.start.value, params.stages.front());
  }
  if (params.stages.back() >= static_cast<double>(setting.num_trees)) {
    fail(ErrorKind::kUsage, "clean.stages: {} is not below the {} trees of the model (num_trees)",
         params.stages.back(), setting.num_trees);
  }
}

const Dataset& values_of(const CleanInput& input) {
  if (input.values.num_rows() == 0 && input.train.num_rows() > 0) {
    fail(ErrorKind::kInput,
         "isolation-forest looks at feature values, and the training data has only bins");
  }
  return input.values;
}

}  // namespace

void check_clean(const CleanParams& params, const LearnerSetting& setting) {
  if (params.method == CleanMethod::kNone) {
    if (params.tune) fail(ErrorKind::kUsage, "clean.tune needs a cleaner, as in --clean sour");
    return;
  }
  if (params.tune && !setting.has_valid) {
    fail(ErrorKind::kUsage, "clean.tune needs validation data to compare by");
  }
  if (params.method == CleanMethod::kIsolationForest) return;
  if (params.cutoff == 0 && setting.cutoff == kNoCutoff) {
    fail(ErrorKind::kUsage,
         "clean.cutoff is needed: the stop metric has none, and outliers are told by the top");
  }
  if (params.method == CleanMethod::kCurrSour) {
    if (params.tune) fail(ErrorKind::kUsage, "curr-sour has nothing to tune");
    return check_stages(params, setting);
  }
  check_window(params, setting);
  if (params.method != CleanMethod::kLastSour) return;
  if (!setting.has_valid) {
    fail(ErrorKind::kUsage, "last-sour needs validation data: it goes by the best round on it");
  }
  if (!setting.stops_early) {
    fail(ErrorKind::kUsage, "last-sour needs patience above 0: it goes by the best round");
  }
}

Cleaning clean(const CleanInput& input, const CleanParams& params, const Context& context) {
  Cleaning cleaning{.params = params, .dropped = {}};
  switch (params.method) {
    case CleanMethod::kNone:
      cleaning.summary = "no cleaning";
      break;
    case CleanMethod::kSour:
    case CleanMethod::kPSour:
    case CleanMethod::kLastSour:
    case CleanMethod::kCurrSour:
      cleaning = clean_by_sour(input, params, context);
      break;
    case CleanMethod::kIsolationForest:
      cleaning = clean_by_isolation(values_of(input), params, context);
      break;
  }
  refuse_emptying(cleaning, input.train.num_rows());
  return cleaning;
}

void refuse_emptying(const Cleaning& cleaning, std::size_t num_rows) {
  if (num_rows == 0 || cleaning.dropped.size() < num_rows) return;
  fail(ErrorKind::kInput, "{} would drop all {} documents of the training data",
       name_of(cleaning.params.method), num_rows);
}

std::vector<Cleaning> clean_grid(const CleanInput& input, const CleanParams& params,
                                 const Context& context) {
  CleanParams none = params;
  none.method = CleanMethod::kNone;
  none.tune = false;
  std::vector<Cleaning> grid = {clean(input, none, context)};
  for (Cleaning& cleaning : params.method == CleanMethod::kIsolationForest
                                ? isolation_grid(values_of(input), params, context)
                                : sour_grid(input, params, context)) {
    if (cleaning.dropped.size() < input.train.num_rows()) grid.push_back(std::move(cleaning));
  }
  return grid;
}

std::vector<std::uint32_t> rows_without(std::span<const std::uint32_t> left_out,
                                        std::size_t num_rows) {
  std::vector<std::uint32_t> kept;
  kept.reserve(num_rows - left_out.size());
  auto next = left_out.begin();
  for (std::uint32_t row = 0; row < num_rows; ++row) {
    if (next != left_out.end() && *next == row) {
      ++next;
    } else {
      kept.push_back(row);
    }
  }
  return kept;
}

std::vector<std::uint32_t> kept_rows(const Cleaning& cleaning, std::size_t num_rows) {
  std::vector<std::uint32_t> dropped;
  for (const DroppedRow& row : cleaning.dropped) dropped.push_back(row.row);
  return rows_without(dropped, num_rows);
}

std::vector<CleaningStage> stages_within(std::span<const CleaningStage> stages,
                                         std::span<const std::uint32_t> rows) {
  std::vector<CleaningStage> within(stages.begin(), stages.end());
  for (CleaningStage& stage : within) {
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

}  // namespace glassrank
