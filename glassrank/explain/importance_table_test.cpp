#include "glassrank/explain/importance_table.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

Importance three_features() {
  PermutationResult drops;
  drops.features = {{.mean = 0.01, .interval = {-0.005, 0.02}},
                    {.mean = 0.2, .interval = {0.1, 0.3}},
                    {.mean = -0.001, .interval = {-0.002, -0.00001}}};
  return {.names = {"price", "bm25", "noise"},
          .permutation = drops,
          .gain = std::vector<double>{30, 60, 10},
          .splits = std::vector<std::uint64_t>{40, 30, 20}};
}

TEST(ImportanceTable, PutsTheLargestDropFirst) {
  // Bars: 20 * 0.2 / 0.2 = 20, 20 * 0.01 / 0.2 = 1, nothing below 0.
  EXPECT_EQ(importance_table(three_features(), 0),
            "feature  ndcg@10 drop       95% interval   gain  splits\n"
            "bm25           0.2000   0.1000 .. 0.3000  60.0%      30  ####################\n"
            "price          0.0100  -0.0050 .. 0.0200  30.0%      40  #\n"
            "noise         -0.0010  -0.0020 .. 0.0000  10.0%      20\n");
}

TEST(ImportanceTable, GoesByGainWithoutPermutationAndThenBySplits) {
  Importance importance = three_features();
  importance.permutation.reset();
  EXPECT_EQ(importance.order(), (std::vector<std::size_t>{1, 0, 2}));
  importance.gain.reset();
  EXPECT_EQ(importance.order(), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(importance_table(importance, 2),
            "feature  splits\n"
            "price        40  ####################\n"
            "bm25         30  ###############\n");
}

TEST(ImportanceTable, KeepsTheModelsOrderForEqualFeatures) {
  Importance importance = three_features();
  importance.permutation.reset();
  importance.gain = {1, 1, 1};
  EXPECT_EQ(importance.order(), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(ImportanceTable, DividesNoGainByNothing) {
  const Importance importance{.names = {"a"}, .gain = std::vector<double>{0}};
  EXPECT_EQ(importance_table(importance, 0), "feature  gain\na        0.0%\n");
}

TEST(ImportanceTable, OfNoMeasureIsEmpty) {
  EXPECT_EQ(importance_table({.names = {"a"}}, 0), "");
  EXPECT_EQ(importance_table({.names = {}, .gain = std::vector<double>{}}, 0), "feature  gain\n");
}

}  // namespace
}  // namespace glassrank
