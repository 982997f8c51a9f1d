// What holds for every method of the registry, whatever it trains.

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/pipeline.h"
#include "glassrank/models/io/native.h"
#include "testing/message_of.h"
#include "testing/synthetic_test_data.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// 60 queries of 8 documents: the grade follows x0, x1 is noise, x2 is constant, x3 is often
// missing.
Dataset small_data(std::uint64_t seed, bool with_weights = false) {
  RandomSequence random(CounterRandom(seed, "every method"));
  DatasetParts parts;
  constexpr std::size_t kQueries = 60;
  constexpr std::size_t kDocuments = 8;
  parts.features = Buffer<float>(kQueries * kDocuments * 4);
  std::vector<std::string> ids;
  float* x = parts.features.data();
  for (std::size_t q = 0; q < kQueries; ++q) {
    ids.push_back(fmt::format("q{}", q));
    for (std::size_t d = 0; d < kDocuments; ++d, x += 4) {
      x[0] = static_cast<float>(random.uniform());
      x[1] = static_cast<float>(random.normal());
      x[2] = 7;
      x[3] = random.below(3) == 0 ? kNan : static_cast<float>(random.below(5));
      const double utility = 3 * x[0] + 0.3 * random.normal();
      parts.grades.push_back(utility > 2.2 ? 2.0F : utility > 1.2 ? 1.0F : 0.0F);
      if (with_weights) parts.weights.push_back(static_cast<float>(q % 2));
    }
  }
  parts.queries = QueryGroups(ids, std::vector<std::size_t>(kQueries, kDocuments));
  for (std::size_t f = 0; f < 4; ++f) parts.schema.add_feature(fmt::format("x{}", f));
  return Dataset(std::move(parts));
}

// Short trainings, whatever the method calls its length.
void shorten(Method& method) {
  const std::vector<ParamInfo> infos = list_params(method);
  const auto set_if_there = [&](const char* name, const char* value) {
    for (const ParamInfo& info : infos) {
      if (info.name == name) testing::set(method, name, value);
    }
  };
  for (const char* name : {"num_trees", "num_rounds", "epochs", "max_epochs", "max_rounds"}) {
    set_if_there(name, "12");
  }
  set_if_there("num_leaves", "6");
  set_if_there("restarts", "2");
  set_if_there("min_leaf_rows", "2");
  set_if_there("num_interactions", "1");
}

class AnyMethod : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Method> make() const {
    auto method = make_pipeline(GetParam());
    shorten(*method);
    return method;
  }

  const Dataset train_ = small_data(1);
  const Dataset valid_ = small_data(2);
};

TEST_P(AnyMethod, LearnsWhatDecidesTheGrade) {
  const TrainResult result = testing::train(*make(), train_, &valid_, context_with(2));
  const auto scorer = make_scorer(result.model);
  const std::vector<MetricSpec> metrics = {parse_metric("ndcg@10")};
  EXPECT_GT(mean_values(*scorer, small_data(3), metrics, {}).front(), 0.85);
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
  const Dataset weighted = small_data(1, true);
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

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const MethodInfo& info : method_table()) names.emplace_back(info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, AnyMethod, ::testing::ValuesIn(all_names()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace glassrank
