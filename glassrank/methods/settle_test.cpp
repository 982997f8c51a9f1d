// Defaults that depend on what there is: Method::settle.

#include <gtest/gtest.h>

#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/pipeline.h"
#include "glassrank/models/gam/gam_purify.h"
#include "glassrank/models/gam/gam_scorer.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

std::size_t rounds_of(const char* method, const TrainSetting& setting,
                      std::vector<std::pair<const char*, const char*>> given = {}) {
  const auto made = make_pipeline(method);
  for (const auto& [name, value] : given) testing::set(*made, name, value);
  made->settle(setting);
  return made->rounds().most;
}

std::string value_of(const Method& method, const std::string& name) {
  for (const ParamInfo& info : list_params(method)) {
    if (info.name == name) return info.value;
  }
  return "no such parameter";
}

TEST(Settle, ThousandTreesWhereHeldOutDataMayStopThem) {
  for (const char* method : {"lambdamart", "mart", "ilmart"}) {
    EXPECT_EQ(rounds_of(method, {}), 100U) << method;
    EXPECT_EQ(rounds_of(method, {.has_valid = true}), 1000U) << method;
    EXPECT_EQ(rounds_of(method, {.has_valid = true}, {{"num_trees", "100"}}), 100U) << method;
    EXPECT_EQ(rounds_of(method, {.has_valid = true}, {{"patience", "0"}}), 100U) << method;
    EXPECT_EQ(rounds_of(method, {}, {{"bags", "4"}, {"stop_on", "bag"}}), 1000U) << method;
  }
  EXPECT_EQ(rounds_of("random-forest", {.has_valid = true}), rounds_of("random-forest", {}));
}

TEST(Settle, LeavesTheWindowOfACleanerWhereItWas) {
  const auto method = make_pipeline("lambdamart");
  testing::set(*method, "clean.method", "sour");
  method->settle({.has_valid = true});
  EXPECT_EQ(method->rounds().most, 1000U);
  EXPECT_EQ(value_of(*method, "clean.end"), "100");
  const auto staged = make_pipeline("lambdamart");
  testing::set(*staged, "clean.method", "curr-sour");
  staged->settle({.has_valid = true});
  EXPECT_EQ(value_of(*staged, "clean.end"), "0");
  staged->check({.has_valid = true});
}

TEST(IlmartMethod, WritesSurfacesWithoutMainEffects) {
  const Bookshop shop = make_bookshop({.queries = 60}, 0);
  const auto train = [&](const char* purify) {
    const auto method = make_pipeline("ilmart");
    for (const auto& [name, value] :
         std::vector<std::pair<const char*, const char*>>{{"num_trees", "40"},
                                                          {"num_interactions", "5"},
                                                          {"patience", "0"},
                                                          {"purify", purify}}) {
      testing::set(*method, name, value);
    }
    return require_gam(testing::train(*method, shop.train, &shop.valid).model, "the test");
  };
  const Gam pure = train("true");
  const Gam plain = train("false");
  const std::vector<double> scores = score_all(GamScorer(pure), shop.test, Context{});
  const std::vector<double> before = score_all(GamScorer(plain), shop.test, Context{});
  for (std::size_t row = 0; row < scores.size(); ++row) EXPECT_NEAR(scores[row], before[row], 1e-9);
  // A surface's weighted mean along a row is 0 once it is purified, and was not before.
  const auto largest_row_mean = [](const Gam& gam) {
    double largest = 0;
    for (const GamEffect& effect : gam.effects()) {
      if (!effect.is_pair()) continue;
      const std::size_t width = effect.axes[1].num_cells();
      for (std::size_t row = 0; row * width < effect.values.size(); ++row) {
        double sum = 0;
        double weight = 0;
        for (std::size_t c = row * width; c < (row + 1) * width; ++c) {
          sum += effect.weights[c] * effect.values[c];
          weight += effect.weights[c];
        }
        if (weight > 0) largest = std::max(largest, std::abs(sum / weight));
      }
    }
    return largest;
  };
  EXPECT_LT(largest_row_mean(pure), 1e-9);
  EXPECT_GT(largest_row_mean(plain), 1e-4);
}

}  // namespace
}  // namespace glassrank
