#include "glassrank/data/synth/values.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "glassrank/math/distributions.h"
#include "testing/synthetic_test_data.h"

namespace glassrank {
namespace {

std::vector<double> column(const Dataset& data, std::size_t f) {
  std::vector<double> values;
  for (std::size_t r = 0; r < data.num_rows(); ++r) values.push_back(data.row(r)[f]);
  return values;
}

TEST(SyntheticValues, RolesShowInTheData) {
  const Context context = context_with(2);
  const SyntheticSource source(medium(), context);
  const Dataset data = make_synthetic(medium(), context);
  const auto utilities = doubles(source.utilities());
  std::map<FeatureRole, int> roles;
  for (std::size_t f = 0; f < 30; ++f) {
    const SyntheticFeature& feature = source.truth().features[f];
    ++roles[feature.role];
    if (feature.role == FeatureRole::kUseless) {
      // Spread of a correlation of 0 over 20000 rows: 0.007.
      EXPECT_LT(std::abs(correlation(column(data, f), utilities)), 0.035);
    }
    if (feature.role == FeatureRole::kQuery) {
      for (std::size_t q = 0; q < data.num_queries(); ++q) {
        const RowRange rows = data.queries().rows(q);
        for (std::size_t r = rows.begin; r < rows.end; ++r) {
          ASSERT_EQ(data.row(r)[f], data.row(rows.begin)[f]);
        }
      }
    }
  }
  // 20 % of 30 features; main effects, interactions and query features as in "tiny".
  EXPECT_EQ(roles[FeatureRole::kUseless], 6);
  EXPECT_EQ(roles[FeatureRole::kCorrelated], 6);
  EXPECT_EQ(roles[FeatureRole::kMainEffect], 5);
  EXPECT_EQ(roles[FeatureRole::kInteractionOnly], 2);
  EXPECT_EQ(roles[FeatureRole::kQuery], 2);
}

TEST(SyntheticValues, CorrelatedFeaturesFollowTheirSources) {
  SyntheticParams params = medium();
  params.counts = params.heavy_tails = params.mostly_zero = 0;
  const Context context = context_with(2);
  const SyntheticSource source(params, context);
  const Dataset data = make_synthetic(params, context);
  for (std::size_t f = 0; f < 30; ++f) {
    const SyntheticFeature& feature = source.truth().features[f];
    if (feature.role != FeatureRole::kCorrelated) continue;
    const double found = correlation(column(data, f), column(data, feature.loadings[0].index));
    EXPECT_GT(found, 0.5);
  }
}

TEST(SyntheticValues, ValuesAreStandardNormalUnderneath) {
  SyntheticParams params = medium();
  params.counts = params.heavy_tails = params.mostly_zero = 0;
  const Context context = context_with(2);
  const SyntheticSource source(params, context);
  const Dataset data = make_synthetic(params, context);
  for (std::size_t f = 0; f < 30; ++f) {
    if (source.truth().features[f].role != FeatureRole::kUseless) continue;
    double sum = 0, squares = 0, above = 0;
    for (double x : column(data, f)) {
      x /= source.truth().features[f].unit;
      sum += x;
      squares += x * x;
      above += x > 1.5 ? 1 : 0;
    }
    EXPECT_NEAR(sum / 20000, 0, 0.036);     // 5 spreads of 0.0071
    EXPECT_NEAR(squares / 20000, 1, 0.05);  // 5 spreads of 0.01
    EXPECT_NEAR(above / 20000, normal_upper(1.5), 5 * 0.0018);
  }
}

TEST(SyntheticValues, KindsShowCountsTailsAndZeros) {
  SyntheticParams params = medium();
  params.counts = 0.4;
  params.heavy_tails = 0.3;
  params.mostly_zero = 0.3;
  const Context context = context_with(2);
  const SyntheticSource source(params, context);
  const Dataset data = make_synthetic(params, context);
  for (std::size_t f = 0; f < 30; ++f) {
    const ValueKind kind = source.truth().features[f].kind;
    double zeros = 0;
    for (const double x : column(data, f)) {
      zeros += x == 0 ? 1 : 0;
      if (kind == ValueKind::kCount) {
        ASSERT_EQ(x, std::floor(x));
      }
      if (kind == ValueKind::kHeavyTail) {
        ASSERT_GT(x, 0);
      }
    }
    // P(b < 1/4) = 0.599, P(b <= 0.8) = 0.788; wide because queries share factors.
    if (kind == ValueKind::kCount) {
      EXPECT_NEAR(zeros / 20000, 0.599, 0.03);
    }
    if (kind == ValueKind::kSparse) {
      EXPECT_NEAR(zeros / 20000, 0.788, 0.03);
    }
  }
}

TEST(SyntheticValues, MissingShareHoldsInEveryThirdFeature) {
  SyntheticParams params = medium();
  params.missing = 0.2;
  params.query_features = 0;
  const Dataset data = make_synthetic(params, context_with(2));
  for (std::size_t f = 0; f < 30; ++f) {
    double missing = 0;
    for (const double x : column(data, f)) missing += std::isnan(x) ? 1 : 0;
    EXPECT_NEAR(missing / 20000, f % 3 == 0 ? 0.2 : 0.0, 0.015);  // 5 spreads of 0.0028
  }
}

}  // namespace
}  // namespace glassrank
