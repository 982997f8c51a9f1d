#include "glassrank/methods/lambdamart/sample_params.h"

#include <gtest/gtest.h>

#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

std::string message(const SampleParams& params) {
  return message_of([&] { make_sampler(params); });
}

TEST(SampleParams, EveryNameHasASampler) {
  for (const SamplerInfo& info : sampler_table()) {
    SampleParams params;
    set_param(params, "method", {std::string(info.name)});
    EXPECT_EQ(params.method, info.method);
    EXPECT_EQ(make_sampler(params) == nullptr, info.method == SampleMethod::kNone) << info.name;
  }
}

TEST(SampleParams, RefusesSharesOutsideZeroToOne) {
  const SampleMethod selective = SampleMethod::kSelective;
  EXPECT_EQ(message({.method = selective, .top = 1.5}),
            "sample.top = 1.5 is a share of the negatives; it must be 0 <= x <= 1 (more goes with "
            "sample.count multiple or positives)");
  EXPECT_EQ(message({.method = SampleMethod::kHighLow, .bottom = 2}),
            "sample.bottom = 2 is a share of the negatives; it must be 0 <= x <= 1 (more goes with "
            "sample.count multiple or positives)");
  EXPECT_EQ(message({.method = selective, .random = -0.5}),
            "sample.random = -0.5 is out of range; it must be x >= 0");
  EXPECT_EQ(message({.method = selective, .top = 3, .count = NegativeBase::kMultiple}), "no error");
  EXPECT_EQ(message({.method = selective, .top = 3, .count = NegativeBase::kPositives}),
            "no error");
  EXPECT_EQ(message({.method = selective, .bottom = 7}), "no error");  // not one of its factors
}

TEST(SampleParams, RefusesValuesOutOfTheirRanges) {
  EXPECT_EQ(message({.method = SampleMethod::kRows, .fraction = 0}),
            "sample.fraction = 0 is out of range; it must be 0 < x <= 1");
  EXPECT_EQ(message({.method = SampleMethod::kQueries, .every = 0}),
            "sample.every = 0 is out of range; it must be x >= 1");
  EXPECT_EQ(message({.method = SampleMethod::kGoss, .other = -0.5}),
            "sample.other = -0.5 is out of range; it must be 0 <= x <= 1");
}

TEST(SampleParams, RefusesSamplesWithoutNegatives) {
  EXPECT_EQ(message({.method = SampleMethod::kSelective, .top = 0}),
            "sampling would keep no negatives: sample.top and sample.random are 0 and "
            "sample.min_negatives is 0");
  EXPECT_EQ(message({.method = SampleMethod::kHighLow, .top = 0, .bottom = 0}),
            "sampling would keep no negatives: sample.top and sample.bottom are 0 and "
            "sample.min_negatives is 0");
  EXPECT_EQ(message({.method = SampleMethod::kRandomNegatives, .random = 0}),
            "sampling would keep no negatives: sample.random is 0 and sample.min_negatives is 0");
  EXPECT_EQ(message({.method = SampleMethod::kSelective, .top = 0, .min_negatives = 1}),
            "no error");
  EXPECT_EQ(message({.method = SampleMethod::kSelective, .top = 0, .random = 0.1}), "no error");
}

TEST(SampleParams, RefusesToAdaptOthersThanSelective) {
  EXPECT_EQ(message({.method = SampleMethod::kHighLow, .adaptive = AdaptiveStrategy::kMix}),
            "sample.adaptive goes with sample.method selective only");
  EXPECT_EQ(message({.method = SampleMethod::kSelective, .adaptive = AdaptiveStrategy::kMix}),
            "no error");
}

// Random negatives get a share of their own unless told; selective ones none.
TEST(SampleParams, GiveEverySamplerOfNegativesItsShare) {
  const Bookshop shop = make_bookshop({.queries = 40}, 2);
  std::size_t num_positives = 0;
  for (const float grade : shop.train.grades()) num_positives += grade > 0 ? 1 : 0;
  const std::size_t num_negatives = shop.train.num_rows() - num_positives;
  const auto sampled_negatives = [&](const SampleParams& sample) {
    LambdamartParams params;
    params.boosting.num_trees = 2;
    params.sample = sample;
    const auto result = train_lambdamart(shop.train, nullptr, params, Context{});
    EXPECT_EQ(result.costs[0].rows, shop.train.num_rows());
    EXPECT_EQ(result.costs[1].all_rows, shop.train.num_rows());
    return static_cast<double>(result.costs[1].rows - num_positives) /
           static_cast<double>(num_negatives);
  };
  // Rounding query by query moves the share a little.
  EXPECT_NEAR(sampled_negatives({.method = SampleMethod::kSelective}), 0.2, 0.03);
  EXPECT_NEAR(sampled_negatives({.method = SampleMethod::kHighLow}), 0.6, 0.03);
  EXPECT_NEAR(sampled_negatives({.method = SampleMethod::kRandomNegatives}), 0.2, 0.03);
}

TEST(SampleParams, EveryObjectiveTrainsOnEverySample) {
  const Bookshop shop = make_bookshop({.queries = 30}, 3);
  for (const SamplerInfo& sampler : sampler_table()) {
    for (const ObjectiveInfo& objective : objective_table()) {
      LambdamartParams params;
      params.boosting.num_trees = 3;
      params.boosting.num_leaves = 4;
      params.sample.method = sampler.method;
      params.objective.objective = objective.name;
      if (objective.name == "logistic") continue;  // its grades are at most 1
      const auto result = train_lambdamart(shop.train, &shop.valid, params, Context{});
      EXPECT_EQ(result.num_rounds, 3U) << sampler.name << " " << objective.name;
      EXPECT_GT(result.forest.trees().back().nodes.size(), 0U);
    }
  }
}

}  // namespace
}  // namespace glassrank
