#include "glassrank/methods/ebm/choose_pairs.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

TEST(ChoosePairs, TakesTheBestMeanRanks) {
  // Ranks of (1,3), (1,4), (3,4): 0 1 2 and 2 1 0, all 1 on the mean: the smaller features win;
  // with 0 2 1 of a third bag the means are 2/3, 4/3 and 1.
  const std::vector<std::vector<RankedFeaturePair>> two = {
      {{.first = 1, .second = 3}, {.first = 1, .second = 4}, {.first = 3, .second = 4}},
      {{.first = 3, .second = 4}, {.first = 1, .second = 4}, {.first = 1, .second = 3}}};
  const std::uint32_t features[] = {1, 3, 4};
  EXPECT_EQ(choose_pairs(two, features, 2),
            (std::vector<RankedFeaturePair>{{.first = 1, .second = 3, .statistic = -1},
                                            {.first = 1, .second = 4, .statistic = -1}}));
  std::vector<std::vector<RankedFeaturePair>> three = two;
  three.push_back(
      {{.first = 1, .second = 3}, {.first = 3, .second = 4}, {.first = 1, .second = 4}});
  EXPECT_EQ(choose_pairs(three, features, 2),
            (std::vector<RankedFeaturePair>{{.first = 1, .second = 3, .statistic = -(2 / 3.0)},
                                            {.first = 3, .second = 4, .statistic = -1}}));
}

}  // namespace
}  // namespace glassrank
