#include "glassrank/data/feature_index.h"

#include <algorithm>
#include <charconv>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank {

std::size_t feature_index(std::span<const std::string> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = error == std::errc{} && end == name.data() + name.size();
  if (is_number && number >= 1 && number <= names.size()) return number - 1;
  if (is_number) {
    fail(ErrorKind::kUsage, "there is no feature {}; the data has {} features", name, names.size());
  }
  throw Error(ErrorKind::kUsage, unknown_name_message("feature", name, names));
}

}  // namespace glassrank
