#include "glassrank/data/known_categories.h"

#include <algorithm>
#include <cmath>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

bool is_number(const std::string& name) {
  float number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = fast_float::from_chars(name.data(), end, number);
  return error == std::errc{} && stop == end && std::isfinite(number);
}

// "'red', 'blue', ...".
std::string some_of(std::span<const std::string> names) {
  constexpr std::size_t kShown = 2;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
  }
  return names.size() > kShown ? text + ", ..." : text;
}

}  // namespace

bool are_numbers(std::span<const std::string> names) {
  return 2 * static_cast<std::size_t>(std::ranges::count_if(names, is_number)) > names.size();
}

bool are_own_codes(std::span<const std::string> names) {
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (names[c] != fmt::to_string(c)) return false;
  }
  return true;
}

void require_known_categories(const WantedFeatures& wanted, const Schema& data,
                              const ColumnMatch& match, const MatchRules& rules,
                              FunctionRef<bool(std::uint32_t)> is_used) {
  for (std::uint32_t f = 0; f < match.columns.size() && f < wanted.num_features; ++f) {
    if (match.columns[f] == ColumnMatch::kAbsent) continue;
    const SchemaColumn& column = data.feature(match.columns[f]);
    if (column.categories.empty() || are_numbers(column.categories)) continue;
    if (!names_of(wanted.categories, f).empty() || !is_used(f)) continue;
    fail(ErrorKind::kInput,
         "{}: the categories of '{}' have names ({}), and {} has numbers there, so that nobody "
         "knows which is which; a model keeps the names in native, lightgbm, xgboost and gam-json "
         "files, and data may have the numbers instead",
         rules.file, column.name, some_of(column.categories), wanted.who);
  }
}

void require_names(const Dataset& data, const WantedFeatures& wanted, std::size_t feature,
                   std::uint32_t column) {
  const std::span<const std::string> names = names_of(wanted.categories, feature);
  if (names.empty() || are_numbers(names)) return;
  if (!data.schema().feature(column).categories.empty()) return;
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    if (std::isnan(data.row(r)[column])) continue;
    fail(ErrorKind::kInput,
         "{} knows the categories of '{}' by name ({}), and the data has numbers there ({}); give "
         "the names",
         wanted.who, wanted.names.empty() ? data.feature_names()[column] : wanted.names[feature],
         some_of(names), data.row(r)[column]);
  }
}

}  // namespace glassrank
