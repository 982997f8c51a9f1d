#include "glassrank/data/dataset.h"

#include <array>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

Dataset small() {
  DatasetParts parts;
  parts.features = Buffer<float>(10);
  for (std::size_t i = 0; i < 10; ++i) parts.features[i] = static_cast<float>(i);
  parts.grades = {2, 0, 1, 0, 3};
  parts.queries = QueryGroups({"q1", "q2"}, std::array<std::size_t, 2>{2, 3});
  parts.feature_names = {"bm25", "price"};
  StringColumnBuilder ids;
  for (const char* id : {"a", "b", "c", "", "e"}) ids.add(id);
  parts.document_ids = ids.finish();
  return Dataset(std::move(parts));
}

TEST(Dataset, ShowsItsParts) {
  const Dataset data = small();
  EXPECT_EQ(data.num_rows(), 5U);
  EXPECT_EQ(data.num_queries(), 2U);
  EXPECT_EQ(data.row(3)[1], 7.0F);
  EXPECT_EQ(data.queries().rows(1).begin, 2U);
  EXPECT_EQ(data.queries().largest(), 3U);
  EXPECT_EQ(data.queries().query_of_rows(), (std::vector<std::uint32_t>{0, 0, 1, 1, 1}));
  EXPECT_EQ(data.document_name(0), "a");
  EXPECT_EQ(data.document_name(3), "2");  // no id: second of its query
}

TEST(Dataset, FindsFeaturesByNameOrNumber) {
  const Dataset data = small();
  EXPECT_EQ(data.feature_index("price"), 1U);
  EXPECT_EQ(data.feature_index("1"), 0U);
  EXPECT_THROW(data.feature_index("prize"), Error);
  EXPECT_THROW(data.feature_index("3"), Error);
}

TEST(Dataset, RefusesPartsThatDoNotFit) {
  DatasetParts parts;
  parts.grades = {1, 2};
  parts.queries = QueryGroups({"q"}, std::array<std::size_t, 1>{3});
  EXPECT_THROW(Dataset{std::move(parts)}, Error);
}

TEST(DatasetView, KeepsRowsAndDropsEmptyQueries) {
  const Dataset data = small();
  const DatasetView view(data, {2, 4});
  EXPECT_EQ(view.queries().num_queries(), 1U);
  EXPECT_EQ(view.queries().id(0), "q2");
  EXPECT_EQ(view.grade(1), 3.0F);
  const Dataset copy = view.materialise();
  EXPECT_EQ(copy.row(1)[0], 8.0F);
  EXPECT_EQ(copy.document_ids()[0], "c");
  EXPECT_THROW(DatasetView(data, {4, 2}), Error);
  EXPECT_THROW(DatasetView(data, {5}), Error);
}

TEST(Dataset, MovesValuesBetweenTheFilesOrderAndItsOwn) {
  DatasetParts parts;
  parts.grades = {0, 0, 0};
  parts.queries = QueryGroups({"q"}, std::array<std::size_t, 1>{3});
  parts.source_rows = {2, 0, 1};
  const Dataset data{std::move(parts)};
  const std::vector<double> rows = data.from_file_order({10, 11, 12});
  EXPECT_EQ(rows, (std::vector<double>{12, 10, 11}));
  EXPECT_EQ(data.to_file_order(rows), (std::vector<double>{10, 11, 12}));
  EXPECT_EQ(small().from_file_order({1, 2, 3, 4, 5}), (std::vector<double>{1, 2, 3, 4, 5}));
}

TEST(DatasetView, SelectsQueriesInTheDatasetsOrder) {
  const DatasetView view = select_queries(small(), std::array<std::size_t, 2>{1, 0});
  EXPECT_EQ(view.num_rows(), 5U);
  EXPECT_EQ(view.rows()[0], 0U);
}

}  // namespace
}  // namespace glassrank
