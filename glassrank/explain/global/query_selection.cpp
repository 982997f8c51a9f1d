#include "glassrank/explain/global/query_selection.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/mapped_file.h"
#include "glassrank/base/suggest.h"
#include "glassrank/base/trim.h"
#include "glassrank/data/feature_index.h"

namespace glassrank {
namespace {

float value_of_query(const Dataset& data, std::size_t query, const NamedFeature& feature) {
  const RowRange rows = data.queries().rows(query);
  const float value = data.row(rows.begin)[feature.index];
  for (std::size_t r = rows.begin + 1; r < rows.end; ++r) {
    const float other = data.row(r)[feature.index];
    if (other == value || (std::isnan(other) && std::isnan(value))) continue;
    fail(ErrorKind::kUsage, "{} does not belong to queries: documents of query {} have {} and {}",
         feature.name, data.queries().id(query), value, other);
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

std::vector<QuerySelection> queries_by_feature(const Dataset& data, const NamedFeature& feature,
                                               std::size_t num_bins) {
  std::vector<std::pair<float, std::uint32_t>> values;
  QuerySelection missing{.name = fmt::format("{} missing", feature.name), .queries = {}};
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
    QuerySelection group{
        .name = name_of_bin(feature.name, values[begin].first, values[end - 1].first),
        .queries = {}};
    for (std::size_t i = begin; i < end; ++i) group.queries.push_back(values[i].second);
    std::ranges::sort(group.queries);
    groups.push_back(std::move(group));
    begin = end;
  }
  if (!missing.queries.empty()) groups.push_back(std::move(missing));
  return groups;
}

std::vector<QuerySelection> queries_by_file(const Dataset& data, const std::string& path) {
  const MappedFile file(path);
  return parse_query_groups(data, {file.bytes().data(), file.bytes().size()}, path);
}

std::vector<QuerySelection> parse_query_groups(const Dataset& data, std::string_view text,
                                               const std::string& path) {
  std::unordered_map<std::string_view, std::uint32_t> number_of;
  for (std::uint32_t q = 0; q < data.num_queries(); ++q) number_of[data.queries().id(q)] = q;
  std::unordered_map<std::string, std::size_t> place_of;
  std::vector<QuerySelection> groups;
  for (std::size_t line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim_blanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
      fail(ErrorKind::kInput, "{}:{}: no tab; a line is a query's id, a tab and a group's name",
           path, line_number);
    }
    const std::string id(trim_blanks(line.substr(0, tab)));
    const auto query = number_of.find(id);
    if (query == number_of.end()) {
      fail(ErrorKind::kUsage, "{}:{}: {}", path, line_number,
           unknown_name_message("query", id, data.queries().ids()));
    }
    const std::string name(trim_blanks(line.substr(tab + 1)));
    const auto [place, is_new] = place_of.try_emplace(name, groups.size());
    if (is_new) groups.push_back({.name = name, .queries = {}});
    groups[place->second].queries.push_back(query->second);
  }
  if (groups.empty())
    fail(ErrorKind::kInput, "{}: no groups; a line is a query, a tab, a group", path);
  for (QuerySelection& group : groups) {
    std::ranges::sort(group.queries);
    const auto repeated = std::ranges::unique(group.queries);
    group.queries.erase(repeated.begin(), repeated.end());
  }
  return groups;
}

void GroupChoice::visit(ParamVisitor& visitor) {
  visitor.field("by_query", by_query, "also summarise every query");
  visitor.field("by_feature", by_feature,
                "also summarise groups of queries, by a feature that is the same for all documents "
                "of a query; by name or number from 1",
                {.value_name = "FEATURE"});
  visitor.field("max_groups", bins, "maximum number of groups for --by-feature",
                Range{.low = 1, .high = 1000});
  visitor.field(
      "groups", file,
      "also summarise the groups of this file: lines with a query's id, a tab and a group's name",
      {.file = FileUse::kInput});
}

void GroupChoice::check() const {
  const int num_ways = (by_query ? 1 : 0) + (by_feature.empty() ? 0 : 1) + (file.empty() ? 0 : 1);
  if (num_ways > 1) {
    fail(ErrorKind::kUsage, "one kind of groups at a time: --by-query, --by-feature or --groups");
  }
}

std::vector<QuerySelection> chosen_groups(const GroupChoice& choice, const Dataset& data,
                                          std::span<const std::string> features) {
  choice.check();
  if (choice.by_query) return every_query(data);
  if (!choice.file.empty()) return queries_by_file(data, choice.file);
  if (choice.by_feature.empty()) return {};
  const std::size_t feature = feature_index(features, choice.by_feature);
  return queries_by_feature(data, {.index = feature, .name = features[feature]},
                            static_cast<std::size_t>(choice.bins));
}

}  // namespace glassrank
