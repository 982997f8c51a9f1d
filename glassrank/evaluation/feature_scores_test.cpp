#include "glassrank/evaluation/feature_scores.h"

#include <limits>

#include <gtest/gtest.h>

#include "testing/message_of.h"
#include "testing/study_fixture.h"

namespace glassrank {
namespace {

TEST(FeatureScores, AreTheFeatureOrItsOpposite) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Dataset data = testing::documents_of({3}, {0, 1, 0}, {{1, 4}, {2, kNan}, {3, -1}});
  EXPECT_EQ(feature_scores(data, "f0"), (std::vector<double>{1, 2, 3}));
  // Missing values come last, whichever way.
  EXPECT_EQ(feature_scores(data, "f1"), (std::vector<double>{4, -kInfinity, -1}));
  EXPECT_EQ(feature_scores(data, "-f1"), (std::vector<double>{-4, -kInfinity, 1}));
  EXPECT_NE(message_of([&] { feature_scores(data, "g1"); }).find("'f1'"), std::string::npos);
}

}  // namespace
}  // namespace glassrank
