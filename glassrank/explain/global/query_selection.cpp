#include "glassrank/explain/global/query_selection.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank {
namespace {

float value_of_query(const Dataset& data, std::size_t query, std::size_t feature) {
  const RowRange rows = data.queries().rows(query);
  const float value = data.row(rows.begin)[feature];
  for (std::size_t r = rows.begin + 1; r < rows.end; ++r) {
    const float other = data.row(r)[feature];
    if (other == value || (std::isnan(other) && std::isnan(value))) continue;
    fail(ErrorKind::kUsage, "{} does not belong to queries: documents of query {} have {} and {}",
         data.feature_names()[feature], data.queries().id(query), value, other);
  }
  return value;
}

std::string name_of_bin(const std::string& feature, float low, float high) {
  if (std::isnan(low)) return fmt::format("{} missing", feature);
  if (low == high) return fmt::format("{} = {}", feature, low);
  return fmt::format("{} from {} to {}", feature, low, high);
}

}  // namespace

std::vector<QuerySelection> every_query(const Dataset& data) {
  std::vector<QuerySelection> groups;
  for (std::uint32_t q = 0; q < data.num_queries(); ++q) {
    groups.push_back({data.queries().id(q), {q}});
  }
  return groups;
}

QuerySelection named_queries(const Dataset& data, std::string name,
                             std::span<const std::string> ids) {
  QuerySelection group{.name = std::move(name), .queries = {}};
  for (const std::string& id : ids) {
    const auto found = std::ranges::find(data.queries().ids(), id);
    if (found == data.queries().ids().end()) {
      throw Error(ErrorKind::kUsage, unknown_name_message("query", id, data.queries().ids()));
    }
    group.queries.push_back(static_cast<std::uint32_t>(found - data.queries().ids().begin()));
  }
  std::ranges::sort(group.queries);
  const auto repeated = std::ranges::unique(group.queries);
  group.queries.erase(repeated.begin(), repeated.end());
  return group;
}

std::vector<QuerySelection> queries_by_feature(const Dataset& data, std::size_t feature,
                                               std::size_t num_bins) {
  std::vector<std::pair<float, std::uint32_t>> values;
  QuerySelection missing{.name = fmt::format("{} missing", data.feature_names()[feature]),
                         .queries = {}};
  for (std::uint32_t q = 0; q < data.num_queries(); ++q) {
    const float value = value_of_query(data, q, feature);
    if (std::isnan(value)) {
      missing.queries.push_back(q);
    } else {
      values.emplace_back(value, q);
    }
  }
  std::ranges::sort(values);
  std::vector<QuerySelection> groups;
  for (std::size_t begin = 0; begin < values.size();) {
    // What is left, shared evenly by the groups that are left; then on to the end of equal values.
    const std::size_t left = num_bins > groups.size() ? num_bins - groups.size() : 1;
    std::size_t end = begin + std::max<std::size_t>((values.size() - begin) / left, 1);
    while (end < values.size() && values[end].first == values[end - 1].first) ++end;
    QuerySelection group{.name = name_of_bin(data.feature_names()[feature], values[begin].first,
                                             values[end - 1].first),
                         .queries = {}};
    for (std::size_t i = begin; i < end; ++i) group.queries.push_back(values[i].second);
    std::ranges::sort(group.queries);
    groups.push_back(std::move(group));
    begin = end;
  }
  if (!missing.queries.empty()) groups.push_back(std::move(missing));
  return groups;
}

}  // namespace glassrank
