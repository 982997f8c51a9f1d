#include "glassrank/methods/cleaners/cleaner.h"

#include <algorithm>
#include <utility>

#include "glassrank/base/error.h"

namespace glassrank {

bool Cleaner::uses(std::string_view param) const {
  return std::ranges::find(params(), param) != params().end();
}

void check_clean(const CleanParams& params, const LearnerSetting& setting) {
  check_params("clean", params);
  const Cleaner* cleaner = cleaner_of(params.method);
  if (cleaner == nullptr) {
    if (params.tune) fail(ErrorKind::kUsage, "clean.tune needs a cleaner, as in --clean sour");
    return;
  }
  if (params.tune && !setting.has_valid) {
    fail(ErrorKind::kUsage, "clean.tune needs validation data to compare by");
  }
  cleaner->check(params, setting);
}

Cleaning clean(const CleanInput& input, const CleanParams& params, const Context& context) {
  check_params("clean", params);
  const Cleaner* cleaner = cleaner_of(params.method);
  if (cleaner == nullptr) return {.params = params, .dropped = {}, .summary = "no cleaning"};
  if (cleaner->traits().needs_values && input.values.num_features() == 0 &&
      input.train.num_features() > 0) {
    fail(ErrorKind::kInput, "{} looks at feature values, and the training data has only bins",
         name_of(params.method));
  }
  Cleaning cleaning = cleaner->clean(input, params, context);
  refuse_emptying(cleaning, input.train.num_all_rows());
  return cleaning;
}

void refuse_emptying(const Cleaning& cleaning, std::size_t num_rows) {
  if (num_rows == 0 || cleaning.num_dropped < num_rows) return;
  fail(ErrorKind::kInput, "{} would drop all {} documents of the training data",
       name_of(cleaning.params.method), num_rows);
}

std::size_t count_everywhere(std::size_t own, const Context& context) {
  std::uint64_t count = own;
  context.communicator->sum({&count, 1});
  return count;
}

std::vector<Cleaning> clean_grid(const CleanInput& input, const CleanParams& params,
                                 const Context& context) {
  CleanParams none = params;
  none.method = CleanMethod::kNone;
  none.tune = false;
  std::vector<Cleaning> grid = {clean(input, none, context)};
  for (Cleaning& cleaning : cleaner_of(params.method)->grid(input, params, context)) {
    if (cleaning.num_dropped < input.train.num_all_rows()) grid.push_back(std::move(cleaning));
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
