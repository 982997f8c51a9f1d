#include "glassrank/math/studentized_range.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "glassrank/math/distributions.h"

namespace glassrank {
namespace {

struct Reference {
  double q;
  int groups;
  double degrees;
  double upper;
};

// scipy 1.17: scipy.stats.studentized_range.sf(q, groups, degrees)
constexpr Reference kScipy[] = {
    {3.5, 3, 10, 0.0771033108384104},    {1.0, 2, 5, 0.511084080430281},
    {2.0, 5, 40, 0.6223527509104},       {3.877, 4, 20, 0.0561977691282473},
    {0.5, 3, 8, 0.933973491496971},      {5.0, 10, 30, 0.0374229828484531},
    {4.0, 3, 1, 0.319802274228682},      {3.3, 3, 9998, 0.0513555531431722},
    {4.0, 6, 49995, 0.0530921126215143}, {10.0, 3, 12, 3.58555417976358e-05},
    {6.0, 50, 1000, 0.0207587814044763},
};

TEST(StudentizedRange, MatchesScipy) {
  for (const Reference& r : kScipy) {
    EXPECT_NEAR(studentized_range_upper(r.q, r.groups, r.degrees), r.upper, 1e-8)
        << r.q << " " << r.groups << " " << r.degrees;
  }
}

// Two means: Q = sqrt(2) |T|. Checked relative to the value, far into the tail.
TEST(StudentizedRange, OfTwoMeansIsStudentsT) {
  for (const double degrees : {1.0, 2.0, 3.0, 7.0, 30.0, 499.0, 9999.0, 1e6}) {
    for (const double t : {0.01, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0}) {
      const double expected = student_t_two_sided(t, degrees);
      if (expected < 1e-250) continue;
      EXPECT_NEAR(studentized_range_upper(t * std::numbers::sqrt2, 2, degrees) / expected, 1.0,
                  1e-9)
          << t << " " << degrees;
    }
  }
}

TEST(StudentizedRange, FallsFromOneToZero) {
  EXPECT_EQ(studentized_range_upper(0, 3, 10), 1.0);
  EXPECT_EQ(studentized_range_upper(-1, 3, 10), 1.0);
  EXPECT_EQ(studentized_range_upper(std::numeric_limits<double>::infinity(), 3, 10), 0.0);
  double previous = 1.0;
  for (double q = 0.25; q < 30; q += 0.25) {
    const double upper = studentized_range_upper(q, 4, 25);
    EXPECT_LT(upper, previous);
    EXPECT_GT(upper, 0.0);
    previous = upper;
  }
}

// scipy 1.17: scipy.stats.studentized_range.isf(p, groups, degrees)
TEST(StudentizedRange, QuantileMatchesScipy) {
  EXPECT_NEAR(studentized_range_upper_quantile(0.05, 3, 10), 3.876776750013158, 1e-8);
  EXPECT_NEAR(studentized_range_upper_quantile(0.05, 3, 20), 3.577934725220134, 1e-8);
  EXPECT_NEAR(studentized_range_upper_quantile(0.01, 5, 60), 4.817781695463997, 1e-8);
  EXPECT_NEAR(studentized_range_upper_quantile(0.05, 4, 300), 3.65360404910265, 1e-8);
}

}  // namespace
}  // namespace glassrank
