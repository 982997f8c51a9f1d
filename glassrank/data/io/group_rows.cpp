#include "glassrank/data/io/group_rows.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace glassrank {
namespace {

// Follows the cycles of the permutation, so that each row is read and written once.
void permute_rows(std::span<float> values, std::size_t width,
                  std::span<const std::uint32_t> order) {
  if (width == 0) return;
  std::vector<bool> placed(order.size(), false);
  std::vector<float> kept(width);
  const auto row = [&](std::size_t r) { return values.data() + r * width; };
  for (std::size_t start = 0; start < order.size(); ++start) {
    if (placed[start] || order[start] == start) continue;
    std::copy_n(row(start), width, kept.data());
    std::size_t to = start;
    for (; order[to] != start; to = order[to]) {
      std::copy_n(row(order[to]), width, row(to));
      placed[to] = true;
    }
    std::copy_n(kept.data(), width, row(to));
    placed[to] = true;
  }
}

}  // namespace

void append_run(std::vector<QueryRun>& runs, std::string_view id, std::size_t num_rows) {
  if (!runs.empty() && runs.back().id == id) {
    runs.back().num_rows += num_rows;
  } else if (num_rows > 0) {
    runs.push_back({std::string(id), num_rows});
  }
}

RowGrouping group_rows(std::span<const QueryRun> runs) {
  RowGrouping grouping;
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  numbers.reserve(runs.size());
  std::vector<std::uint32_t> query_of_run(runs.size());
  std::vector<std::size_t> sizes;
  std::vector<bool> split;
  std::vector<std::string> ids;
  std::size_t next_row = 0;
  std::optional<std::uint32_t> last;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const QueryRun& run = runs[r];
    if (run.num_rows == 0) continue;
    const auto [entry, is_new] = numbers.emplace(run.id, static_cast<std::uint32_t>(ids.size()));
    const std::uint32_t query = entry->second;
    if (is_new) {
      ids.emplace_back(run.id);
      sizes.push_back(0);
      split.push_back(false);
    } else if (query != last) {
      if (grouping.num_split_queries == 0) {
        grouping.first_split_query = run.id;
        grouping.first_split_row = next_row;
      }
      if (!split[query]) ++grouping.num_split_queries;
      split[query] = true;
    }
    last = query;
    query_of_run[r] = query;
    sizes[query] += run.num_rows;
    next_row += run.num_rows;
  }
  grouping.queries = QueryGroups(std::move(ids), sizes);
  if (grouping.contiguous()) return grouping;

  grouping.order.resize(next_row);
  const auto offsets = grouping.queries.offsets();
  std::vector<std::size_t> next_place(offsets.begin(), offsets.end());
  std::uint32_t row = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    std::size_t& place = next_place[query_of_run[r]];
    for (std::size_t i = 0; i < runs[r].num_rows; ++i) grouping.order[place++] = row++;
  }
  return grouping;
}

void apply_grouping(RowGrouping grouping, DatasetParts& parts) {
  parts.queries = std::move(grouping.queries);
  if (grouping.order.empty()) return;
  permute_rows(parts.features.span(), parts.num_features(), grouping.order);
  move_columns(std::move(grouping.order), parts);
}

void move_columns(std::vector<std::uint32_t> order, RowTable& table) {
  if (order.empty()) return;
  assert(order.size() == table.grades.size());
  permute_rows(table.grades, 1, order);
  if (!table.weights.empty()) permute_rows(table.weights, 1, order);
  if (!table.document_ids.empty()) {
    StringColumnBuilder ids;
    for (const std::uint32_t row : order) ids.add(table.document_ids[row]);
    table.document_ids = ids.finish();
  }
  table.source_rows = std::move(order);
}

std::vector<std::uint32_t> places_of(std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<std::uint32_t>(i);
  return places;
}

std::string grouped_notice(std::string_view file, const RowGrouping& grouping) {
  return fmt::format(
      "{}: {} of {} queries have rows in more than one place (first: query '{}', again in row {}); "
      "their rows were put together, in the order of the file",
      file, grouping.num_split_queries, grouping.queries.num_queries(), grouping.first_split_query,
      grouping.first_split_row + 1);
}

}  // namespace glassrank
