#include "glassrank/methods/cleaners/oddness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

Dataset dataset(const std::vector<std::vector<float>>& rows, std::vector<float> grades) {
  const std::size_t width = rows[0].size();
  DatasetParts parts;
  parts.features = Buffer<float>(rows.size() * width);
  parts.grades = std::move(grades);
  parts.queries = {{"q"}, std::array{rows.size()}};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::ranges::copy(rows[r], parts.features.data() + r * width);
  }
  for (std::size_t f = 0; f < width; ++f) parts.schema.add_feature(std::to_string(f + 1));
  return Dataset(std::move(parts));
}

// Feature 1: values 1 2 3 | 7 8 9 for grades 0 0 0 | 1 1 1; feature 2 the same but for the last
// row, which has grade 1 and the value 2.
Dataset six_rows() {
  return dataset({{1, 1}, {2, 2}, {3, 3}, {7, 7}, {8, 8}, {9, 2}}, {0, 0, 0, 1, 1, 1});
}

// Feature 2 sorted: 1 2 2 3 7 8. Place of 2: (1 + 2/2) / 6 = 1/3; of 7: (4 + 1/2) / 6 = 3/4, which
// is the median of grade 1 (2, 7, 8). Row 5: 1/3 - 3/4 = -5/12 in feature 2. Feature 1: 9 has the
// place 11/12, the median 8 of its grade 3/4: 1/6.
TEST(Oddness, IsTheDifferenceOfPlaces) {
  const Oddness oddness(six_rows(), {});
  EXPECT_DOUBLE_EQ(oddness.place(1, 2), 1.0 / 3);
  EXPECT_DOUBLE_EQ(oddness.place(1, 7), 3.0 / 4);
  EXPECT_DOUBLE_EQ(oddness.place(1, 0), 0);
  EXPECT_DOUBLE_EQ(oddness.place(1, 100), 1);
  EXPECT_EQ(oddness.typical(1, 1), 7);
  EXPECT_EQ(oddness.typical(0, 0), 2);
  const std::array<std::uint32_t, 1> rows = {5};
  const OddRow odd = oddness.of(rows, 2, {})[0];
  ASSERT_EQ(odd.features.size(), 2);
  EXPECT_EQ(odd.features[0].feature, 1);
  EXPECT_EQ(odd.features[0].value, 2);
  EXPECT_EQ(odd.features[0].typical, 7);
  EXPECT_NEAR(odd.features[0].difference, -5.0 / 12, 1e-12);
  EXPECT_EQ(odd.features[1].feature, 0);
  EXPECT_NEAR(odd.features[1].difference, 1.0 / 6, 1e-12);
  EXPECT_NEAR(odd.own_distance, (5.0 / 12 + 1.0 / 6) / 2, 1e-12);
}

TEST(Oddness, SaysWhichGradeADocumentLooksLike) {
  // 40 documents of grades 0, 1 and 2 around 0, 10 and 20 in three features; one of grade 2 looks
  // as if it had grade 0. Two more features know nothing.
  const CounterRandom random(1, "oddness_test");
  std::vector<std::vector<float>> rows;
  std::vector<float> grades;
  for (std::uint64_t r = 0; r < 120; ++r) {
    const auto grade = static_cast<float>(r % 3);
    const float looks = r == 50 ? 0 : grade;  // row 50 has grade 2
    std::vector<float> row;
    for (std::uint64_t f = 0; f < 5; ++f) {
      const auto noise = static_cast<float>(random.normal(5 * r + f));
      row.push_back(f < 3 ? 10 * looks + noise : noise);
    }
    rows.push_back(row);
    grades.push_back(grade);
  }
  const Oddness oddness(dataset(rows, grades), {});
  std::vector<std::uint32_t> all(120);
  for (std::uint32_t r = 0; r < 120; ++r) all[r] = r;
  const std::vector<OddRow> odd = oddness.of(all, 3, {});
  for (std::size_t r = 0; r < 120; ++r) {
    EXPECT_EQ(odd[r].looks_like, r == 50 ? 0 : grades[r]) << r;
    EXPECT_LE(odd[r].distance, odd[r].own_distance);
  }
  for (const OddFeature& feature : odd[50].features) {
    EXPECT_LT(feature.feature, 3);
    EXPECT_LT(feature.difference, -0.5);
  }
}

TEST(Oddness, TakesMissingAsSmallerThanEveryValue) {
  const Oddness oddness(
      dataset({{kMissing}, {-5}, {1}, {2}, {kMissing}, {kMissing}}, {0, 0, 0, 0, 1, 1}), {});
  EXPECT_DOUBLE_EQ(oddness.place(0, kMissing), 1.5 / 6);
  EXPECT_DOUBLE_EQ(oddness.place(0, -5), 3.5 / 6);
  EXPECT_EQ(oddness.typical(0, 0), -5) << "the lower of the two in the middle";
  EXPECT_TRUE(std::isnan(oddness.typical(0, 1)));
}

// Feature 1 is the query's: 1 in the first query, 9 (or missing) in the second.
TEST(Oddness, LeavesFeaturesOfTheQueryOut) {
  const std::vector<float> values = {1, 5, 1, 6, kMissing, 7, kMissing, 8};
  DatasetParts parts;
  parts.features = Buffer<float>(values.size());
  parts.grades = {0, 0, 1, 1};
  parts.queries = {{"a", "b"}, std::array<std::size_t, 2>{2, 2}};
  parts.schema = Schema::of_features({"length", "match"});
  std::ranges::copy(values, parts.features.data());
  const std::array<std::uint32_t, 1> rows = {2};
  const OddRow odd = Oddness(Dataset(std::move(parts)), {}).of(rows, 5, {})[0];
  ASSERT_EQ(odd.features.size(), 1);
  EXPECT_EQ(odd.features[0].feature, 1);
  EXPECT_EQ(odd.own_distance, std::abs(odd.features[0].difference));
}

TEST(Oddness, ComparesRareGradesOfManyWithAllDocuments) {
  std::vector<std::vector<float>> rows;
  std::vector<float> grades;
  for (int r = 0; r < 100; ++r) {
    rows.push_back({static_cast<float>(r)});
    grades.push_back(static_cast<float>(r < 66 ? r / 2 : 0.25 * r));  // pairs, then single ones
  }
  const Oddness oddness(dataset(rows, grades), {});
  ASSERT_EQ(oddness.grades().size(), Oddness::kMaxGrades);
  EXPECT_EQ(oddness.grades().back(), 31) << "of 33 pairs the lowest";
  EXPECT_EQ(oddness.typical(0, 24.75F), 49) << "the median of all";
}

TEST(Oddness, DoesNotDependOnThreads) {
  const CounterRandom random(2, "oddness_test");
  std::vector<std::vector<float>> rows;
  std::vector<float> grades;
  for (std::uint64_t r = 0; r < 400; ++r) {
    rows.push_back(
        {static_cast<float>(random.normal(2 * r)), static_cast<float>(random.below(2 * r + 1, 5))});
    grades.push_back(static_cast<float>(r % 4));
  }
  const Dataset data = dataset(rows, grades);
  std::vector<std::uint32_t> some;
  for (std::uint32_t r = 0; r < 400; r += 3) some.push_back(r);
  const auto summary = [&](int threads) {
    const Context context{.threads = std::make_shared<Threads>(threads)};
    std::vector<double> values;
    for (const OddRow& odd : Oddness(data, context).of(some, 1, context)) {
      values.push_back(odd.features[0].difference);
      values.push_back(odd.distance);
    }
    return values;
  };
  const auto one = summary(1);
  EXPECT_EQ(one, summary(2));
  EXPECT_EQ(one, summary(4));
}

}  // namespace
}  // namespace glassrank
