#include "glassrank/explain/find_document.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank {
namespace {

constexpr std::string_view kRank = "rank:";

// A whole number from 1 on.
std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

// "; did you mean 'x'?", or nothing.
std::string suggestion(std::string_view name, std::span<const std::string> known) {
  const std::optional<std::string> nearest = nearest_name(name, known);
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : "";
}

}  // namespace

std::size_t find_query(const Dataset& data, const std::string& id) {
  const std::span<const std::string> ids = data.queries().ids();
  const auto found = std::ranges::find(ids, id);
  if (found == ids.end()) {
    fail(ErrorKind::kUsage, "there is no query '{}' in the data{}", id, suggestion(id, ids));
  }
  return static_cast<std::size_t>(found - ids.begin());
}

std::uint32_t find_document(const ExplainedQuery& query, std::span<const std::string> documents,
                            const std::string& text) {
  const auto found = std::ranges::find(documents, text);
  if (found != documents.end()) return static_cast<std::uint32_t>(found - documents.begin());
  const bool is_rank = text.starts_with(kRank);
  const std::optional<std::size_t> place =
      number_in(std::string_view(text).substr(is_rank ? kRank.size() : 0));
  if (place && *place <= documents.size()) {
    return is_rank ? query.ranking[*place - 1] : static_cast<std::uint32_t>(*place - 1);
  }
  if (place || is_rank) {
    fail(ErrorKind::kUsage, "query {} has {} documents; there is no document '{}'", query.id,
         documents.size(), text);
  }
  const std::string nearest = suggestion(text, documents);
  if (!nearest.empty()) {
    fail(ErrorKind::kUsage, "query {} has no document '{}'{}", query.id, text, nearest);
  }
  fail(ErrorKind::kUsage,
       "query {} has no document '{}'; say its name, its place in the data (1 to {}) or its rank "
       "(rank:1)",
       query.id, text, documents.size());
}

}  // namespace glassrank
