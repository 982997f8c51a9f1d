#include "glassrank/models/linear/linear_steps.h"

#include <limits>

#include <gtest/gtest.h>

#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/models/model_kinds.h"
#include "testing/bin_test_data.h"
#include "testing/message_of.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

Linear random_linear(std::size_t num_features) {
  LinearParts parts;
  const CounterRandom random(3, "linear steps");
  for (std::size_t f = 0; f < num_features; ++f) {
    parts.weights.push_back(f == 2 ? 0.0 : random.uniform(f) - 0.4);
    parts.fills.push_back(static_cast<float>(random.uniform(100 + f)));
  }
  parts.intercept = 0.7;
  return Linear(std::move(parts));
}

TEST(LinearSteps, ScoreTheirDataAsTheLinesDo) {
  const Dataset data = test_data({.num_rows = 300});
  const Linear linear = random_linear(data.num_features());
  const Gam steps = linear_steps(linear, data);
  EXPECT_EQ(steps.effects().size(), linear.num_parts());
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    EXPECT_NEAR(steps.score(data.row(r)), linear.score(data.row(r)),
                1e-12 * (1 + std::abs(linear.score(data.row(r)))));
  }
}

// Values 0, 1, 2, 4 in two cells: 2 * mean(0, 1) and 2 * mean(2, 4); the cut lies between 1 and 2.
TEST(LinearSteps, ManyValuesShareCells) {
  DatasetParts parts;
  parts.features = Buffer<float>(4);
  for (const float x : {0.0F, 1.0F, 2.0F, 4.0F}) {
    parts.features[parts.grades.size()] = x;
    parts.grades.push_back(0);
  }
  parts.queries = QueryGroups({"q"}, std::vector<std::size_t>{4});
  parts.schema.add_feature("a");
  const Dataset data(std::move(parts));
  const Linear linear({.weights = {2}, .fills = {3}});
  const Gam steps = linear_steps(linear, data, {}, 2);
  EXPECT_EQ(steps.effects()[0].values, (std::vector<double>{1, 6, 6}));
  EXPECT_EQ(steps.effects()[0].weights, (std::vector<double>{2, 2, 0}));
  EXPECT_EQ(steps.effects()[0].axes[0].edges, std::vector<float>{1.5F});
}

TEST(LinearSteps, NeedDataWithTheModelsFeatures) {
  const Dataset data = test_data({.num_rows = 10, .num_features = 1});
  EXPECT_EQ(message_of([&] { as_gam(small_linear(), &data); }),
            "the data have 1 features, the model 2");
  EXPECT_EQ(message_of([] { as_gam(small_linear()); }),
            "the lines of a linear model become tables by the values of some data, and none are "
            "given: edit and inspect --plots take --data");
}

TEST(LinearSteps, DirectionsOfLinesAreTheirSigns) {
  const auto directions = verify_directions(small_linear());
  ASSERT_EQ(directions.size(), 2);
  EXPECT_EQ(directions[0].text(), "never falls");
  EXPECT_EQ(directions[1].text(), "never rises");
}

}  // namespace
}  // namespace glassrank
