#include "glassrank/data/relevance.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

// As float32 0.1 is 0.100000001 and 0.7 is 0.699999988: on either side of the double.
TEST(Relevance, AGradeEqualToTheLimitIsNotAboveIt) {
  for (const double limit : {0.0, 0.1, 0.7, 1.5, 2.0}) {
    const auto grade = static_cast<float>(limit);
    EXPECT_FALSE(is_relevant(grade, limit)) << limit;
    EXPECT_TRUE(is_relevant_from(grade, limit)) << limit;
    EXPECT_TRUE(is_relevant(grade + 0.5F, limit));
    EXPECT_FALSE(is_relevant_from(grade - 0.5F, limit));
  }
}

}  // namespace
}  // namespace glassrank
