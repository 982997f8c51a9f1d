#include "glassrank/explain/global/attribution_summary.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "testing/message_of.h"
#include "testing/rows_data.h"

namespace glassrank {
namespace {

const std::vector<std::string> kNames = {"length", "title", "price"};

// phi of a kLinear model without base: length x 1, title x 2, price x -1.
constexpr auto kLinear = [](const QueryBlock& block, MatrixView<double> out, const Context&) {
  const MatrixView<const float> rows = block.rows;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    out(r, 0) = rows(r, 0);
    out(r, 1) = 2 * rows(r, 1);
    out(r, 2) = -rows(r, 2);
  }
};

Dataset three_queries() {
  return data_of_rows({{3, 0, 1}, {3, 1, 1}, {5, 2, 4}, {5, 4, 0}, {5, 0, 2}, {9, 1, 1}},
                      {.sizes = {2, 3, 1}, .names = kNames});
}

TEST(AttributionSummary, TellsFeaturesOfTheQueryFromThoseThatOrderDocuments) {
  const Dataset data = three_queries();
  const AttributionSummary summary = summarise_attributions({data, kNames, {}}, kLinear, {}, {});
  const FeatureSummary& length = summary.all.features[0];
  EXPECT_EQ(length.mean_amount, (3 + 3 + 5 + 5 + 5 + 9) / 6.0);
  EXPECT_EQ(length.mean_amount_within, 0);
  // Title: phi 0 2 | 4 8 0 | 2; query means 1, 4, 2; within 1 1 | 0 4 4 | 0.
  const FeatureSummary& title = summary.all.features[1];
  EXPECT_EQ(title.mean_amount, 16 / 6.0);
  EXPECT_EQ(title.mean_amount_within, 10 / 6.0);
  EXPECT_EQ(title.direction, 1);
  EXPECT_EQ(title.quantiles, (std::vector<double>{0, 0, 0, 2, 4, 8, 8}));
  EXPECT_EQ(summary.all.features[2].direction, -1);
  EXPECT_EQ(features_by_amount_within(summary.all), (std::vector<std::size_t>{1, 2, 0}));
  const AttributionSummary by_query =
      summarise_attributions({data, kNames, {}}, kLinear, {.each = SummaryUnit::kQuery}, {});
  // 1, 8 / 3 and 0, by three queries.
  EXPECT_NEAR(by_query.all.features[1].mean_amount_within, (1 + 8 / 3.0) / 3, 1e-15);
}

TEST(AttributionSummary, OfAGroupIsThatOfItsQueriesAlone) {
  const Dataset data = three_queries();
  const std::vector<std::string> ids = {"q3", "q1"};
  const std::vector<QuerySelection> groups = {named_queries(data, "some", ids)};
  const AttributionSummary summary =
      summarise_attributions({data, kNames, groups}, kLinear, {}, {});
  const std::vector<std::size_t> chosen = {0, 2};
  const Dataset alone = select_queries(data, chosen).materialise();
  const AttributionSummary direct = summarise_attributions({alone, kNames, {}}, kLinear, {}, {});
  ASSERT_EQ(summary.groups.size(), 1U);
  EXPECT_EQ(summary.groups[0].num_rows, 3U);
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_EQ(summary.groups[0].features[f].mean, direct.all.features[f].mean);
    EXPECT_EQ(summary.groups[0].features[f].mean_amount_within,
              direct.all.features[f].mean_amount_within);
    EXPECT_EQ(summary.groups[0].features[f].quantiles, direct.all.features[f].quantiles);
  }
}

TEST(AttributionSummary, IsTheSameForAnyNumberOfThreadsAndAgreesWithPlainSums) {
  RandomSequence random(CounterRandom(1, "rows"));
  std::vector<std::vector<float>> rows;
  std::vector<std::size_t> sizes;
  for (std::size_t q = 0; q < 900; ++q) {
    sizes.push_back(1 + random.below(30));
    for (std::size_t i = 0; i < sizes.back(); ++i) {
      rows.push_back({static_cast<float>(q), static_cast<float>(random.normal()),
                      static_cast<float>(random.normal())});
    }
  }
  const Dataset data = data_of_rows(rows, {.sizes = sizes, .names = kNames});
  std::vector<AttributionSummary> results;
  for (const int threads : {1, 2, 4}) {
    const Context context{.threads = std::make_shared<const Threads>(threads)};
    results.push_back(
        summarise_attributions({data, kNames, {}}, kLinear, {.quantile_documents = 500}, context));
  }
  double within = 0;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange range = data.queries().rows(q);
    double mean = 0;
    for (std::size_t r = range.begin; r < range.end; ++r) mean += 2.0 * data.row(r)[1];
    mean /= static_cast<double>(range.size());
    for (std::size_t r = range.begin; r < range.end; ++r) {
      within += std::abs(2.0 * data.row(r)[1] - mean);
    }
  }
  EXPECT_NEAR(results[0].all.features[1].mean_amount_within,
              within / static_cast<double>(data.num_rows()), 1e-12);
  for (std::size_t f = 0; f < 3; ++f) {
    for (const std::size_t other : {1U, 2U}) {
      EXPECT_EQ(results[0].all.features[f].mean, results[other].all.features[f].mean);
      EXPECT_EQ(results[0].all.features[f].quantiles, results[other].all.features[f].quantiles);
    }
  }
}

TEST(QuerySelection, PutsQueriesIntoBinsOfTheirFeature) {
  const Dataset data = three_queries();
  const auto groups = queries_by_feature(data, {0, "length"}, 2);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].name, "length = 3");
  EXPECT_EQ(groups[1].name, "length from 5 to 9");
  EXPECT_EQ(groups[1].queries, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(every_query(data).size(), 3U);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto with_missing = queries_by_feature(
      data_of_rows({{nan, 0, 0}, {1, 0, 0}}, {.sizes = {1, 1}, .names = kNames}), {0, "length"}, 5);
  EXPECT_EQ(with_missing[1].name, "length missing");
}

class GroupFile : public ::testing::Test {
 protected:
  std::string write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }
  void TearDown() override { std::filesystem::remove(path_); }

 private:
  std::string path_ = ::testing::TempDir() + "/query_groups.tsv";
};

TEST_F(GroupFile, NamesGroupsInItsOrder) {
  const Dataset data = three_queries();
  const auto groups =
      queries_by_file(data, write("# groups\nq3\tlong\r\n\nq1\tshort ones\nq2\tlong\nq3\tlong\n"));
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].name, "long");
  EXPECT_EQ(groups[0].queries, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(groups[1].name, "short ones");
  EXPECT_EQ(groups[1].queries, (std::vector<std::uint32_t>{0}));
}

TEST_F(GroupFile, SaysWhichLineIsWrong) {
  const Dataset data = three_queries();
  const std::string path = write("q1\tshort\nq2 long\n");
  EXPECT_EQ(message_of([&] { queries_by_file(data, path); }),
            path + ":2: no tab; a line is a query's id, a tab and a group's name");
  write("q1\tshort\nq9\tlong\n");
  EXPECT_EQ(message_of([&] { queries_by_file(data, path); }).substr(0, path.size() + 22),
            path + ":2: unknown query 'q9'");
  write("# nothing\n");
  EXPECT_EQ(message_of([&] { queries_by_file(data, path); }),
            path + ": no groups; a line is a query, a tab, a group");
}

TEST(GroupChoice, IsOfOneKind) {
  const Dataset data = three_queries();
  EXPECT_TRUE(chosen_groups({}, data, kNames).empty());
  EXPECT_EQ(chosen_groups({.by_query = true}, data, kNames).size(), 3U);
  EXPECT_EQ(chosen_groups({.by_feature = "length", .bins = 2}, data, kNames).size(), 2U);
  EXPECT_EQ(
      message_of([&] { chosen_groups({.by_query = true, .by_feature = "length"}, data, kNames); }),
      "one kind of groups at a time: --by-query, --by-feature or --groups");
}

TEST(AttributionSummary, ListsEveryNumberOfEveryGroup) {
  const Dataset data = three_queries();
  const std::vector<QuerySelection> groups = every_query(data);
  const AttributionSummary summary = summarise_attributions(
      {data, kNames, groups}, kLinear, {.quantiles = {0.5}, .quantile_documents = 1}, {});
  const Table table = summary_values(summary);
  EXPECT_EQ(table.columns().size(), 10U);
  EXPECT_EQ(table.columns().back().name, "within quantile 0.5");
  ASSERT_EQ(table.rows().size(), 12U);
  EXPECT_EQ(table.rows()[3][0], Cell(std::string("q1")));
  EXPECT_EQ(table.rows()[3][1], Cell(std::int64_t{1}));
  EXPECT_EQ(table.rows()[3][2], Cell(std::int64_t{2}));
  // One document is drawn for the quantiles: two of the queries have none.
  std::size_t num_empty = 0;
  for (const auto& row : table.rows()) num_empty += row.back() == Cell() ? 1 : 0;
  EXPECT_EQ(num_empty, 6U);
}

TEST(AttributionSummary, SaysWhatDoesNotFit) {
  const Dataset data = three_queries();
  EXPECT_EQ(message_of([&] { queries_by_feature(data, {1, "title"}, 2); }),
            "title does not belong to queries: documents of query q1 have 0 and 1");
  const std::vector<std::string> unknown = {"q4"};
  EXPECT_EQ(message_of([&] { named_queries(data, "x", unknown); }).substr(0, 18),
            "unknown query 'q4'");
  const std::vector<QuerySelection> empty = {{"none", {}}};
  EXPECT_EQ(message_of([&] { summarise_attributions({data, kNames, empty}, kLinear, {}, {}); }),
            "group 'none' has no queries");
  const auto broken = [](const QueryBlock& block, MatrixView<double> out, const Context& c) {
    kLinear(block, out, c);
    out(4, 1) = std::nan("");
  };
  EXPECT_EQ(message_of([&] { summarise_attributions({data, kNames, {}}, broken, {}, {}); }),
            "the attribution of title in row 5 is nan");
}

}  // namespace
}  // namespace glassrank
