#include "glassrank/data/io/category_codes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

constexpr float kSmallCodes = 1U << 20;

}  // namespace

void fail_no_category(std::string_view file, std::string_view feature, std::string_view value) {
  fail(ErrorKind::kInput,
       "{}: categorical: {} of '{}' is no category; categories are texts or whole numbers from 0 "
       "on: a column of other numbers is no categorical one{}",
       file, quote_text(value), feature,
       value.starts_with('-')
           ? fmt::format(" (csv, tsv: --na-values={} takes it as missing)", value)
           : "");
}

void warn_of_many_categories(std::string_view file, std::string_view feature,
                             std::size_t num_categories, std::size_t num_rows,
                             const Context& context) {
  constexpr std::size_t kFew = 1000;
  if (num_categories <= kFew || 2 * num_categories <= num_rows) return;
  context.warn(
      fmt::format("{}: categorical: '{}' has {} categories in {} rows; what nearly every row has "
                  "of its own teaches a model little",
                  file, feature, num_categories, num_rows));
}

CodeLook::CodeLook(std::span<const std::uint32_t> features, std::size_t width) : width_(width) {
  for (const std::uint32_t feature : features) codes_.emplace_back().feature = feature;
}

void CodeLook::add_value(Codes& codes, float value) {
  if (std::isnan(value)) return;
  ++codes.num_rows;
  if (value < 0 || value != std::floor(value)) {
    codes.no_code = std::min(codes.no_code.value_or(value), value);
  } else if (value >= kSmallCodes) {
    codes.large.insert(value);
  } else {
    const auto code = static_cast<std::size_t>(value);
    if (code >= codes.small.size()) codes.small.resize(code + 1);
    codes.small[code] = true;
  }
}

void CodeLook::add(std::size_t first_row, std::size_t num_rows, const float* rows,
                   const RowSink* sink) {
  if (codes_.empty()) return;
  const std::lock_guard lock(mutex_);
  for (std::size_t r = 0; r < num_rows; ++r) {
    if (sink != nullptr && !sink->wants(first_row + r)) continue;
    for (Codes& codes : codes_) add_value(codes, rows[r * width_ + codes.feature]);
  }
}

void CodeLook::check(const Schema& schema, std::string_view file) const {
  for (const Codes& codes : codes_) {
    if (!codes.no_code) continue;
    fail_no_category(file, schema.feature_names()[codes.feature], fmt::to_string(*codes.no_code));
  }
}

void CodeLook::warn(const Schema& schema, std::string_view file, const Context& context) const {
  for (const Codes& codes : codes_) {
    const auto num_small = static_cast<std::size_t>(std::ranges::count(codes.small, true));
    warn_of_many_categories(file, schema.feature_names()[codes.feature],
                            num_small + codes.large.size(), codes.num_rows, context);
  }
}

}  // namespace glassrank
