#include "glassrank/data/dataset.h"

#include <array>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

Dataset small() {
  DatasetParts parts;
  parts.features = Buffer<float>(10);
  for (std::size_t i = 0; i < 10; ++i) parts.features[i] = static_cast<float>(i);
  parts.grades = {2, 0, 1, 0, 3};
  parts.queries = QueryGroups({"q1", "q2"}, std::array<std::size_t, 2>{2, 3});
  parts.schema = Schema::of_features({"bm25", "price"});
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

TEST(QueryGroups, RefuseMoreRowsThanThirtyTwoBitsNumber) {
  const QueryGroups most({"q1", "q2"}, std::array<std::size_t, 2>{kMostRows - 1, 1});
  EXPECT_EQ(most.num_rows(), 4'294'967'295U);
  for (const std::array<std::size_t, 2> sizes :
       {std::array<std::size_t, 2>{kMostRows, 1}, std::array<std::size_t, 2>{1, ~std::size_t{0}}}) {
    try {
      QueryGroups({"q1", "q2"}, sizes);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.message(),
                "the data has more than 4294967295 rows, which is as many as can be used");
    }
  }
}

TEST(Dataset, FindsFeaturesByNameOrNumber) {
  const Dataset data = small();
  EXPECT_EQ(data.feature_index("price"), 1U);
  EXPECT_EQ(data.feature_index("1"), 0U);
  EXPECT_EQ(message_of([&] { data.feature_index("prize"); }),
            "unknown feature 'prize'; did you mean 'price'?");
  EXPECT_EQ(message_of([&] { data.feature_index("3"); }),
            "there is no feature 3; the data has 2 features");
}

TEST(Dataset, RefusesPartsThatDoNotFit) {
  DatasetParts parts;
  parts.grades = {1, 2};
  parts.queries = QueryGroups({"q"}, std::array<std::size_t, 1>{3});
  EXPECT_EQ(message_of([&] { Dataset{std::move(parts)}; }),
            "3 rows in the query groups for 2 rows; there must be one per row");
  DatasetParts narrow;
  narrow.grades = {1, 2};
  narrow.queries = QueryGroups({"q"}, std::array<std::size_t, 1>{2});
  narrow.schema = Schema::of_features({"a", "b"});
  narrow.features = Buffer<float>(3);
  EXPECT_EQ(message_of([&] { Dataset{std::move(narrow)}; }),
            "3 feature values for 2 rows of 2 features");
}

TEST(Dataset, SlicesOfQueriesShareTheValues) {
  const Dataset data = small();
  const Dataset second = slice_queries(data, 1, 2);
  EXPECT_EQ(second.num_queries(), 1U);
  EXPECT_EQ(second.queries().id(0), "q2");
  EXPECT_EQ(second.features().data(), data.row(2).data());
  EXPECT_EQ(second.grades()[2], 3.0F);
  EXPECT_EQ(second.document_name(0), "c");
  EXPECT_EQ(slice_queries(data, 0, 0).num_rows(), 0U);
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
  EXPECT_EQ(message_of([&] { DatasetView(data, {4, 2}); }),
            "row 2 of a view is out of order or beyond the 5 rows of the data");
  EXPECT_EQ(message_of([&] { DatasetView(data, {5}); }),
            "row 5 of a view is out of order or beyond the 5 rows of the data");
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
