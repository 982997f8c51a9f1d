#include "glassrank/data/grade_noise.h"

#include <array>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

Dataset three_rows() {
  DatasetParts parts;
  parts.features = Buffer<float>(3);
  for (std::size_t i = 0; i < 3; ++i) parts.features[i] = static_cast<float>(i);
  parts.grades = {0, 2, 0};
  parts.queries = QueryGroups({"a", "b"}, std::array<std::size_t, 2>{1, 2});
  parts.schema = Schema::of_features({"x"});
  StringColumnBuilder ids;
  for (const char* id : {"one", "two", "three"}) ids.add(id);
  parts.document_ids = ids.finish();
  return Dataset(std::move(parts));
}

TEST(GradeNoise, LevelsAreDistinctAndAscending) {
  EXPECT_EQ(grade_levels(std::array<float, 5>{3, 0, 3, 1, 0}), (std::vector<float>{0, 1, 3}));
}

TEST(GradeNoise, FlipsTheAskedShareUniformly) {
  std::vector<float> grades(100000, 1.0F);
  const std::vector<float> levels = {0, 1, 2};
  const auto flips = flip_grades(grades, levels, {.probability = 0.2}, 7);
  // Binomial(100000, 0.2): spread 126; 5 spreads.
  EXPECT_NEAR(static_cast<double>(flips.size()), 20000, 640);
  std::size_t to_zero = 0;
  for (const GradeFlip& flip : flips) {
    EXPECT_NE(flip.new_grade, 1.0F);
    to_zero += flip.new_grade == 0 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(to_zero), 10000, 360);
}

TEST(GradeNoise, LowestToHighestTouchesOnlyTheLowestGrade) {
  std::vector<float> grades(1000);
  for (std::size_t i = 0; i < grades.size(); ++i) grades[i] = static_cast<float>(i % 3);
  const auto flips = flip_grades(grades, std::array<float, 3>{0, 1, 2},
                                 {.probability = 0.5, .mode = NoiseMode::kLowestToHighest}, 3);
  EXPECT_GT(flips.size(), 100U);
  for (const GradeFlip& flip : flips) {
    EXPECT_EQ(flip.row % 3, 0U);
    EXPECT_EQ(flip.new_grade, 2.0F);
  }
  for (std::size_t i = 0; i < grades.size(); ++i) {
    if (i % 3 > 0) {
      EXPECT_EQ(grades[i], static_cast<float>(i % 3));
    }
  }
}

RC_GTEST_PROP(GradeNoise, LogSaysExactlyWhatChanged, (std::uint64_t seed)) {
  const auto before = *rc::gen::container<std::vector<float>>(
      rc::gen::elementOf(std::vector<float>{0, 1, 2, 3, 4}));
  auto after = before;
  const std::vector<float> levels = {0, 1, 2, 3, 4};
  const auto flips = flip_grades(after, levels, {.probability = 0.4}, seed);
  auto undone = after;
  for (const GradeFlip& flip : flips) {
    RC_ASSERT(flip.old_grade != flip.new_grade);
    RC_ASSERT(after[flip.row] == flip.new_grade);
    undone[flip.row] = flip.old_grade;
  }
  RC_ASSERT(undone == before);
}

TEST(GradeNoise, DataSharesTheMatrixAndLogNamesDocuments) {
  const Dataset data = three_rows();
  const NoisyDataset noisy = add_grade_noise(data, {.probability = 1}, 1);
  EXPECT_EQ(noisy.data.features().data(), data.features().data());
  EXPECT_EQ(noisy.data.grades()[0], 2.0F);
  EXPECT_EQ(noisy.data.grades()[1], 0.0F);
  EXPECT_EQ(noisy.data.document_name(2), "three");
  EXPECT_EQ(flips_tsv(data, noisy.flips),
            "query\tdocument\trow\told_grade\tnew_grade\n"
            "a\tone\t0\t0\t2\nb\ttwo\t1\t2\t0\nb\tthree\t2\t0\t2\n");
}

TEST(GradeNoise, ZeroProbabilityChangesNothing) {
  EXPECT_TRUE(add_grade_noise(three_rows(), {.probability = 0}, 1).flips.empty());
}

TEST(GradeNoise, RefusesDataWithOneGrade) {
  std::vector<float> grades = {1, 1};
  try {
    flip_grades(grades, std::array<float, 1>{1}, {}, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_STREQ(error.what(),
                 "cannot flip grades: the data has 1 different grade, two are needed");
  }
}

TEST(GradeNoise, RefusesAWrongNumberOfGrades) {
  try {
    with_grades(three_rows(), {1, 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "2 grades for 3 rows; there must be one per row");
  }
}

}  // namespace
}  // namespace glassrank
