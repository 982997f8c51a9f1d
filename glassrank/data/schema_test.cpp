#include "glassrank/data/schema.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/data/io/csv/csv.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

std::vector<std::string> names_of(const Schema& schema) {
  return {schema.feature_names().begin(), schema.feature_names().end()};
}

TEST(Schema, NumbersFeaturesInTheOrderOfTheirColumns) {
  const Schema schema(
      {{"x"}, {"grade", ColumnRole::kGrade}, {"y"}, {"of", ColumnRole::kQuery}, {"z"}});
  EXPECT_EQ(names_of(schema), (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(schema.num_features(), 3U);
  EXPECT_EQ(schema.columns()[3].name, "of");
  EXPECT_TRUE(schema.has(ColumnRole::kGrade));
  EXPECT_FALSE(schema.has(ColumnRole::kWeight));
}

TEST(Schema, AddsFeaturesByNumber) {
  Schema schema = Schema::of_features({"x"});
  schema.set_padding({.first_number = 0});
  schema.pad_features(3);
  EXPECT_EQ(names_of(schema), (std::vector<std::string>{"x", "1", "2"}));
  schema.pad_features(2);
  EXPECT_EQ(schema.num_features(), 3U);
  Schema taken = Schema::of_features({"3", "b"});
  taken.set_padding({});
  EXPECT_EQ(message_of([&] { taken.pad_features(3); }),
            "feature 3, added for num_features = 3, has the name of a column");
}

TEST(Schema, SaysWhatEachColumnOfACsvFileWasTakenFor) {
  const Dataset data =
      parse_csv("id,x,rel,q,y\nd,1,2,a,3\n", "t.csv", ',',
                {.grade_column = "rel", .query_column = "q", .document_column = "id"}, Context{});
  const std::vector<SchemaColumn> expected = {{"id", ColumnRole::kDocument},
                                              {"x"},
                                              {"rel", ColumnRole::kGrade},
                                              {"q", ColumnRole::kQuery},
                                              {"y"}};
  EXPECT_TRUE(std::ranges::equal(data.schema().columns(), expected));
}

}  // namespace
}  // namespace glassrank
