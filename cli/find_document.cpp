#include "cli/find_document.h"

#include <algorithm>
#include <charconv>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank::cli {

std::size_t find_query(const Dataset& data, const std::string& id) {
  const auto ids = data.queries().ids();
  const auto found = std::ranges::find(ids, id);
  if (found == ids.end()) throw Error(ErrorKind::kUsage, unknown_name_message("query", id, ids));
  return static_cast<std::size_t>(found - ids.begin());
}

std::uint32_t find_document(const Dataset& data, std::size_t query, const std::string& name) {
  const std::vector<std::string> names = document_names(data, query);
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = error == std::errc{} && end == name.data() + name.size();
  if (is_number && number >= 1 && number <= names.size()) {
    return static_cast<std::uint32_t>(number - 1);
  }
  if (is_number) {
    fail(ErrorKind::kUsage, "query {} has {} documents; there is no document {}",
         data.queries().id(query), names.size(), name);
  }
  throw Error(ErrorKind::kUsage, unknown_name_message("document", name, names));
}

}  // namespace glassrank::cli
