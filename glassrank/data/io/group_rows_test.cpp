#include "glassrank/data/io/group_rows.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace glassrank {
namespace {

std::vector<QueryRun> runs_of(std::span<const std::string> ids) {
  std::vector<QueryRun> runs;
  for (const std::string& id : ids) append_run(runs, id);
  return runs;
}

DatasetParts parts_with_rows(std::size_t num_rows) {
  DatasetParts parts;
  parts.schema = Schema::of_features({"a", "b"});
  parts.features = Buffer<float>(num_rows * 2);
  StringColumnBuilder ids;
  for (std::size_t r = 0; r < num_rows; ++r) {
    const auto value = static_cast<float>(r);
    parts.features[2 * r] = value;
    parts.features[2 * r + 1] = -value;
    parts.grades.push_back(value);
    parts.weights.push_back(value + 0.5F);
    ids.add(std::to_string(r));
  }
  parts.document_ids = ids.finish();
  return parts;
}

TEST(GroupRows, LeavesContiguousQueriesWhereTheyAre) {
  const std::vector<std::string> ids = {"7", "7", "3"};
  const RowGrouping grouping = group_rows(runs_of(ids));
  EXPECT_TRUE(grouping.contiguous());
  EXPECT_TRUE(grouping.order.empty());
  ASSERT_EQ(grouping.queries.num_queries(), 2U);
  EXPECT_EQ(grouping.queries.id(0), "7");
  EXPECT_EQ(grouping.queries.rows(0).size(), 2U);
}

TEST(GroupRows, JoinsNeighbouringRunsOfOneQuery) {
  const std::vector<QueryRun> runs = {{"a", 2}, {"b", 0}, {"a", 3}};
  const RowGrouping grouping = group_rows(runs);
  EXPECT_TRUE(grouping.contiguous());
  ASSERT_EQ(grouping.queries.num_queries(), 1U);
  EXPECT_EQ(grouping.queries.rows(0).size(), 5U);
}

TEST(GroupRows, NoRunsAreNoQueries) { EXPECT_EQ(group_rows({}).queries.num_queries(), 0U); }

TEST(GroupRows, OrdersQueriesByFirstAppearanceAndKeepsTheFilesOrderWithin) {
  const std::vector<std::string> ids = {"b", "a", "b", "c", "a", "b"};
  const RowGrouping grouping = group_rows(runs_of(ids));
  EXPECT_EQ(grouping.num_split_queries, 2U);
  EXPECT_EQ(grouping.first_split_query, "b");
  EXPECT_EQ(grouping.first_split_row, 2U);
  EXPECT_EQ(grouping.order, (std::vector<std::uint32_t>{0, 2, 5, 1, 4, 3}));
  EXPECT_EQ(grouping.queries.id(1), "a");
  EXPECT_EQ(grouping.queries.rows(1).begin, 3U);
}

TEST(GroupRows, SaysWhatItDid) {
  const std::vector<std::string> ids = {"b", "a", "b"};
  const RowGrouping grouping = group_rows(runs_of(ids));
  EXPECT_EQ(grouped_notice("t.csv", grouping),
            "t.csv: 1 of 2 queries have rows in more than one place (first: query 'b', again in "
            "row 3); their rows were put together, in the order of the file");
}

// The oracle is std::stable_sort by the query's first appearance.
TEST(GroupRows, MovesEveryPartLikeAStableSort) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& codes) {
    std::vector<std::string> ids;
    std::map<std::string, std::size_t> first;
    for (const std::uint8_t code : codes) {
      ids.push_back(std::to_string(code % 5));
      first.emplace(ids.back(), ids.size());
    }
    std::vector<std::size_t> expected(ids.size());
    for (std::size_t r = 0; r < ids.size(); ++r) expected[r] = r;
    std::ranges::stable_sort(expected, {}, [&](std::size_t r) { return first[ids[r]]; });

    DatasetParts parts = parts_with_rows(ids.size());
    apply_grouping(group_rows(runs_of(ids)), parts);
    RC_ASSERT(parts.queries.num_rows() == ids.size());
    const std::vector<std::uint32_t> query = parts.queries.query_of_rows();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto value = static_cast<float>(expected[i]);
      RC_ASSERT(parts.grades[i] == value);
      RC_ASSERT(parts.features[2 * i] == value);
      RC_ASSERT(parts.features[2 * i + 1] == -value);
      RC_ASSERT(parts.weights[i] == value + 0.5F);
      RC_ASSERT(parts.document_ids[i] == std::to_string(expected[i]));
      RC_ASSERT(parts.queries.id(query[i]) == ids[expected[i]]);
    }
  }));
}

}  // namespace
}  // namespace glassrank
