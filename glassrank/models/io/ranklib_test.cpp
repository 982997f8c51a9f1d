#include "glassrank/models/io/ranklib.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "testing/message_of.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

using Row = std::vector<float>;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST(Ranklib, LinearRegressionIsABiasAndWeights) {
  const Model model = read_ranklib("## Linear Regression\n## Lambda = 1.0E-10\n0:0.5 1:2.0 3:-1.0");
  EXPECT_EQ(kind_of(model), "linear model");
  EXPECT_EQ(num_features_of(model), 3);
  EXPECT_EQ(score_row(model, Row{1, 7, 4}), 0.5 + 2 - 4);
  EXPECT_EQ(score_row(model, Row{1, 7, kNan}), 0.5 + 2);
  EXPECT_EQ(write_ranklib(model, {}),
            "## Linear Regression\n## Lambda = 1.0E-10\n0:0.5 1:2 2:0 3:-1\n");
}

TEST(Ranklib, CoordinateAscentHasNoBias) {
  const std::string text = "## Coordinate Ascent\n## Restart = 5\n1:0.25 2:0.75\n";
  const Model model = read_ranklib(text);
  EXPECT_EQ(score_row(model, Row{4, 8}), 7);
  EXPECT_EQ(write_ranklib(model, {}), text);
}

TEST(Ranklib, RankBoostIsStepsAboveThresholds) {
  const std::string text = "## RankBoost\n## Iteration = 3\n1:0.5:0.25 3:-1:2 3:2:0.5\n";
  const Model model = read_ranklib(text);
  EXPECT_EQ(kind_of(model), "additive model");
  EXPECT_EQ(score_row(model, Row{0.5F, 0, 2}), 2);      // not above 0.5, not above 2
  EXPECT_EQ(score_row(model, Row{0.75F, 0, 3}), 2.75);  // above all
  EXPECT_EQ(score_row(model, Row{0.75F, 0, -1}), 0.25);
  EXPECT_EQ(score_row(model, Row{kNan, 0, kNan}), 2);  // as 0
  EXPECT_EQ(write_ranklib(model, {}), text);
}

TEST(Ranklib, EqualThresholdsOfRankBoostAddUp) {
  const Model model = read_ranklib("## RankBoost\n\n2:1:0.5 2:1:0.25\n");
  EXPECT_EQ(score_row(model, Row{0, 2}), 0.75);
}

// Two features, two hidden units: h1 = s(.1 + x1 + 2 x2), h2 = s(.2 - x1), out = s(.3 + h1 - 3 h2).
TEST(Ranklib, RankNetIsSigmoidUnitsWithBiases) {
  const std::string text =
      "## RankNet\n## No. of features = 2\n## No. of hidden layers = 1\n## Epochs = 100\n"
      "1 2\n1\n2\n0 0 1 -1\n0 1 2 0\n0 2 0.1 0.2 0.3\n1 0 1\n1 1 -3\n";
  const Model model = read_ranklib(text);
  const double h1 = sigmoid(0.1 + 0.5 + 2 * 0.25);
  const double h2 = sigmoid(0.2 - 0.5);
  EXPECT_DOUBLE_EQ(score_row(model, Row{0.5F, 0.25F}), sigmoid(0.3 + h1 - 3 * h2));
  EXPECT_EQ(write_ranklib(model, {}), text);
}

TEST(Ranklib, RankNetMayLeaveFeaturesOut) {
  const Model model = read_ranklib("## RankNet\n2 5\n0\n0 0 1\n0 1 2\n0 2 0.5\n");
  EXPECT_EQ(num_features_of(model), 5);
  EXPECT_DOUBLE_EQ(score_row(model, Row{9, 1, 9, 9, 2}), sigmoid(0.5 + 1 + 4));
}

TEST(Ranklib, RandomForestsAreTheMeanOfTheirBags) {
  const auto bag = [](double left, double right) {
    return "<ensemble>\n<tree id=\"1\" weight=\"0.5\">\n<split>\n<feature> 2 </feature>\n"
           "<threshold> 1 </threshold>\n<split pos=\"left\">\n<output> " +
           std::to_string(left) + " </output>\n</split>\n<split pos=\"right\">\n<output> " +
           std::to_string(right) + " </output>\n</split>\n</split>\n</tree>\n</ensemble>\n\n";
  };
  const Model model =
      read_ranklib("## Random Forests\n## No. of bags = 2\n\n" + bag(1, 2) + bag(3, 8));
  EXPECT_EQ(score_row(model, Row{0, 0}), 1);
  EXPECT_EQ(score_row(model, Row{0, 2}), 2.5);
}

TEST(Ranklib, SaysWhatIsWrong) {
  const auto problem = [](std::string_view text) {
    return message_of([&] { read_ranklib(text); });
  };
  EXPECT_EQ(problem("## AdaRank\n1:2\n"),
            "RankLib model of type 'AdaRank'; known: LambdaMART, MART, Random Forests, Linear "
            "Regression, Coordinate Ascent, RankBoost, RankNet");
  EXPECT_EQ(problem("## Linear Regression\n1:x\n"), "'1:x' is not feature:weight");
  EXPECT_EQ(problem("## Linear Regression\n1:2 1:3\n"), "feature 1 has two weights");
  EXPECT_EQ(problem("## Linear Regression\n\n"), "the RankLib model has no weights");
  EXPECT_EQ(problem("## RankBoost\n1:2\n"), "'1:2' is not feature:threshold:weight");
  EXPECT_EQ(problem("## RankBoost\n0:2:3\n"), "feature 0: RankLib counts features from 1");
  EXPECT_EQ(problem("## RankBoost\n4000000000:2:3\n"),
            "feature 4000000000 is beyond the 1000000 supported");
  EXPECT_EQ(problem("## RankNet\n1 2\n1\n2\n0 0 1 -1\n"), "the RankNet model is cut off");
  EXPECT_EQ(problem("## RankNet\n1 2\n1\n2\n0 1 1 -1\n"),
            "line 4 below the header: '0 0' and 2 weights are expected here");
  EXPECT_EQ(problem("## RankNet\n2 1\n"),
            "line 1 below the header: features are counted from 1 and ascend");
}

TEST(Ranklib, RefusesNetworksItDoesNotKnow) {
  EXPECT_EQ(message_of([] { write_ranklib(small_mlp(), {}); }),
            "RankLib's networks have sigmoid units only; this one has others");
}

}  // namespace
}  // namespace glassrank
