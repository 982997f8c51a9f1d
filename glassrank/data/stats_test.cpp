#include "glassrank/data/stats.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/data/duplicates.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Dataset make(std::vector<std::vector<float>> rows, std::vector<float> grades,
             std::vector<std::size_t> sizes) {
  DatasetParts parts;
  const std::size_t width = rows.empty() ? 0 : rows.front().size();
  parts.features = Buffer<float>(rows.size() * width);
  for (std::size_t i = 0; i < rows.size() * width; ++i) {
    parts.features[i] = rows[i / width][i % width];
  }
  parts.grades = std::move(grades);
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < sizes.size(); ++q) ids.push_back(fmt::format("q{}", q));
  parts.queries = QueryGroups(std::move(ids), sizes);
  for (std::size_t f = 0; f < width; ++f) parts.schema.add_feature(fmt::format("f{}", f));
  return Dataset(std::move(parts));
}

// Columns: 0 varies; 1 constant; 2 equals 0; 3 has a missing value; 4 is all missing.
// Rows 0 and 1 are equal (query 0) with different grades; row 4 (query 2) equals both.
Dataset odd() {
  return make({{1, 5, 1, 2, kNan},
               {1, 5, 1, 2, kNan},
               {0, 5, -0.0F, 3, kNan},
               {3, 5, 3, kNan, kNan},
               {1, 5, 1, 2, kNan},
               {4, 5, 4, 2, kNan}},
              {0, 2, 1, 0, 1, 1}, {3, 1, 2});
}

TEST(Stats, CountsRowsQueriesGradesAndSizes) {
  const DataStats stats = data_stats(odd(), {}, {});
  EXPECT_EQ(stats.num_rows, 6U);
  EXPECT_EQ(stats.num_queries, 3U);
  EXPECT_EQ(stats.grades, (std::map<float, std::size_t>{{0, 2}, {1, 3}, {2, 1}}));
  EXPECT_EQ(stats.documents_per_query.min, 1U);
  EXPECT_EQ(stats.documents_per_query.median, 2.0);
  EXPECT_EQ(stats.documents_per_query.mean, 2.0);  // 6 rows / 3 queries
  EXPECT_EQ(stats.documents_per_query.max, 3U);
  EXPECT_EQ(stats.missing, 7U);  // 1 in column 3, 6 in column 4
  EXPECT_EQ(stats.queries_without_relevant, 1U);
  EXPECT_EQ(stats.queries_with_one_document, 1U);
  EXPECT_EQ(stats.queries_with_one_grade, 1U);  // query 2: grades 1, 1
}

TEST(Stats, MedianOfAnEvenNumberOfQueriesIsTheMean) {
  const DataStats stats = data_stats(make({{1}, {2}, {3}}, {0, 0, 1}, {1, 2}), {}, {});
  EXPECT_EQ(stats.documents_per_query.median, 1.5);
}

TEST(Stats, FindsConstantAndDuplicateFeatures) {
  const DataStats stats = data_stats(odd(), {}, {});
  EXPECT_EQ(stats.constant_features, (std::vector<std::size_t>{1, 4}));
  using Pair = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(stats.duplicate_features, (std::vector<Pair>{{2, 0}}));
}

TEST(Stats, FindsEqualDocumentsAndConflictingGrades) {
  const DuplicateStats found = data_stats(odd(), {}, {}).duplicates;
  EXPECT_EQ(found.rows, 2U);               // rows 1 and 4 repeat row 0
  EXPECT_EQ(found.rows_within_query, 1U);  // row 1 repeats row 0 in query 0
  ASSERT_EQ(found.conflicts.size(), 1U);
  EXPECT_EQ(found.conflicts[0].query, 0U);
  EXPECT_EQ(found.conflicts[0].rows, (std::vector<std::size_t>{0, 1}));
}

TEST(Stats, DescribesEachFeature) {
  const auto features = data_stats(odd(), {.count_distinct = true}, {}).features;
  EXPECT_EQ(features[0].min, 0);
  EXPECT_EQ(features[0].max, 4);
  EXPECT_DOUBLE_EQ(features[0].mean, 10.0 / 6);  // 1 + 1 + 0 + 3 + 1 + 4
  EXPECT_EQ(features[0].zeros, 1U);
  EXPECT_EQ(features[0].distinct, 4U);
  EXPECT_EQ(features[2].distinct, 4U);  // -0 is 0
  EXPECT_EQ(features[3].missing, 1U);
  EXPECT_EQ(features[3].distinct, 2U);
  EXPECT_EQ(features[4].missing, 6U);
  EXPECT_EQ(features[4].mean, 0);
  EXPECT_TRUE(features[4].constant);
  EXPECT_FALSE(features[3].constant);
}

TEST(Stats, CapsTheCountOfDistinctValues) {
  std::vector<std::vector<float>> rows;
  for (std::size_t i = 0; i < kDistinctCap + 1; ++i) {
    rows.push_back({static_cast<float>(i), static_cast<float>(i % kDistinctCap)});
  }
  const std::size_t num_rows = rows.size();
  const auto features =
      data_stats(make(rows, std::vector<float>(num_rows), {num_rows}), {.count_distinct = true}, {})
          .features;
  EXPECT_EQ(features[0].distinct, kDistinctCap);
  EXPECT_TRUE(features[0].distinct_capped);
  EXPECT_EQ(features[1].distinct, kDistinctCap);
  EXPECT_FALSE(features[1].distinct_capped);
}

TEST(Stats, OfNoDataAreZero) {
  const DataStats stats = data_stats(Dataset(), {}, {});
  EXPECT_EQ(stats.num_rows, 0U);
  EXPECT_EQ(stats.documents_per_query.max, 0U);
  EXPECT_TRUE(stats.duplicate_features.empty());
}

TEST(Stats, DoNotDependOnThreads) {
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < 20000; ++i) {
    rows.push_back({static_cast<float>(std::sin(i)), static_cast<float>(i % 7) * 0.1F});
  }
  const Dataset data = make(rows, std::vector<float>(20000), {20000});
  const auto mean_of = [&](int threads) {
    Context context;
    context.threads = std::make_shared<Threads>(threads);
    return data_stats(data, {}, context).features[0].mean;
  };
  EXPECT_EQ(mean_of(1), mean_of(2));
  EXPECT_EQ(mean_of(1), mean_of(4));
}

// The slow way: compare every pair of rows.
RC_GTEST_PROP(Duplicates, AreThoseAPairwiseComparisonFinds, ()) {
  const auto values = *rc::gen::container<std::vector<float>>(
      rc::gen::elementOf(std::vector<float>{0, 1, -0.0F, kNan}));
  const std::size_t num_rows = values.size() / 2;
  const MatrixView<const float> matrix(values.data(), num_rows, 2);
  const auto same = [](float a, float b) { return a == b || (a != a && b != b); };
  std::vector<std::vector<std::size_t>> expected;
  std::vector<bool> used(num_rows, false);
  for (std::size_t i = 0; i < num_rows; ++i) {
    std::vector<std::size_t> group;
    for (std::size_t j = i; j < num_rows && !used[i]; ++j) {
      if (same(matrix(i, 0), matrix(j, 0)) && same(matrix(i, 1), matrix(j, 1))) group.push_back(j);
    }
    for (const std::size_t j : group) used[j] = true;
    if (group.size() > 1) expected.push_back(group);
  }
  std::vector<std::uint64_t> hashes;
  for (std::size_t r = 0; r < num_rows; ++r) {
    hashes.push_back(value_bits(matrix(r, 0)) * hash_key(0) +
                     value_bits(matrix(r, 1)) * hash_key(1));
  }
  RC_ASSERT(equal_rows(matrix, hashes) == expected);
  // Hashes that collide must not change the answer.
  RC_ASSERT(equal_rows(matrix, std::vector<std::uint64_t>(num_rows, 1)) == expected);
}

TEST(Duplicates, ColumnsWithCollidingHashesAreCompared) {
  const std::vector<float> values = {1, 2, 1, 3, 4, 3};
  const MatrixView<const float> matrix(values.data(), 2, 3);
  using Pair = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(equal_columns(matrix, std::vector<std::uint64_t>{9, 9, 9}, {}),
            (std::vector<Pair>{{2, 0}}));
}

}  // namespace
}  // namespace glassrank
