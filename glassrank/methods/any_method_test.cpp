// What holds for every method of the registry, whatever it trains.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/pipeline.h"
#include "glassrank/models/io/native.h"
#include "testing/message_of.h"
#include "testing/method_fixture.h"
#include "testing/synthetic_test_data.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

class AnyMethod : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Method> make() const {
    auto method = make_pipeline(GetParam());
    testing::shorten(*method);
    return method;
  }

  const Dataset train_ = testing::method_data(1);
  const Dataset valid_ = testing::method_data(2);
};

TEST_P(AnyMethod, LearnsWhatDecidesTheGrade) {
  const TrainResult result = testing::train(*make(), train_, &valid_, context_with(2));
  const auto scorer = make_scorer(result.model);
  const std::vector<MetricSpec> metrics = {parse_metric("ndcg@10")};
  EXPECT_GT(mean_values(*scorer, testing::method_data(3), metrics, {}).front(), 0.85);
}

TEST_P(AnyMethod, GivesTheSameBytesForAnyNumberOfThreads) {
  const TrainResult one = testing::train(*make(), train_, &valid_, context_with(1));
  for (const int threads : {2, 4}) {
    const TrainResult more = testing::train(*make(), train_, &valid_, context_with(threads));
    EXPECT_TRUE(testing::same_bytes(one.model, more.model)) << threads;
  }
}

TEST_P(AnyMethod, TrainsWithoutValidationData) {
  const TrainResult result = testing::train(*make(), train_, nullptr, context_with(2));
  EXPECT_EQ(num_features_of(result.model), 4U);
  EXPECT_EQ(feature_names_of(result.model)[3], "x3");
}

// Every second query has the weight 0. What a weight is worth: RowWeights in
// other_rankers_test.cpp, boosting/weights_test.cpp.
TEST_P(AnyMethod, LooksAtWeights) {
  const Dataset weighted = testing::method_data(1, true);
  const TrainResult with = testing::train(*make(), weighted, &valid_, context_with(1));
  const TrainResult without = testing::train(*make(), train_, &valid_, context_with(1));
  EXPECT_FALSE(testing::same_bytes(with.model, without.model));
}

TEST_P(AnyMethod, TakesBagsWhereItsTraitsSaySo) {
  const auto method = make();
  bool has_bags = false;
  for (const ParamInfo& info : list_params(*method)) has_bags = has_bags || info.name == "bags";
  if (!has_bags) GTEST_SKIP() << "no bags";
  testing::set(*method, "bags", "3");
  const TrainResult one = testing::train(*method, train_, &valid_, context_with(1));
  const TrainResult two = testing::train(*method, train_, &valid_, context_with(2));
  EXPECT_TRUE(testing::same_bytes(one.model, two.model));
  EXPECT_EQ(one.report.bags.size(), 3U);
  EXPECT_EQ(kind_of(one.model), kind_of(testing::train(*make(), train_, &valid_).model));
}

TEST_P(AnyMethod, SurvivesItsFile) {
  const TrainResult result = testing::train(*make(), train_, &valid_, context_with(2));
  const std::string bytes = write_native(result.model);
  EXPECT_EQ(write_native(read_native(bytes)), bytes);
}

TEST_P(AnyMethod, RefusesDataItCannotUse) {
  EXPECT_NE(message_of([&] { testing::train(*make(), Dataset(), nullptr); }), "no error");
  DatasetParts narrow;
  narrow.features = Buffer<float>(2);
  narrow.features.data()[0] = 1;
  narrow.features.data()[1] = 2;
  narrow.grades = {0, 1};
  narrow.queries = QueryGroups({"q"}, std::vector<std::size_t>{2});
  narrow.schema.add_feature("other");
  const Dataset other(std::move(narrow));
  EXPECT_NE(message_of([&] { testing::train(*make(), train_, &other); }), "no error");
}

INSTANTIATE_TEST_SUITE_P(Registry, AnyMethod, ::testing::ValuesIn(testing::method_names()),
                         testing::name_of_method);

}  // namespace
}  // namespace glassrank
