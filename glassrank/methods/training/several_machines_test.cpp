// Any number of machines and threads train the very model that one program trains on all rows.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/data/io/shared_files.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/pipeline.h"
#include "glassrank/methods/training/train_run.h"
#include "glassrank/methods/training/trained_model.h"
#include "testing/boosting_fixture.h"
#include "testing/machines.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

using Machines = std::shared_ptr<const Communicator>;
using Settings = std::vector<std::pair<std::string, std::string>>;

struct Case {
  std::string name;
  std::string method;
  Settings settings;
  bool has_weights = false;
  bool has_categories = false;
};

// Queries of 1 to 40 documents, features with missing values, coarse ones, constant ones, some that
// are missing or constant on a part of the rows only; a category; weights.
Dataset make_rows(std::uint64_t seed, std::size_t num_queries, const Case& wanted) {
  constexpr std::size_t kFeatures = 40;
  const CounterRandom random(seed, "several machines");
  DatasetParts parts;
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  std::vector<float> values;
  for (std::size_t q = 0; q < num_queries; ++q) {
    ids.push_back(fmt::format("query{}", q));
    sizes.push_back(1 + random.below(q, 40));
    const auto weight = static_cast<float>(0.5 + random.uniform(5000 + q));
    for (std::size_t d = 0; d < sizes.back(); ++d) {
      const std::size_t at = 100'000 + 64 * values.size();
      float row[kFeatures];
      for (std::size_t f = 0; f < kFeatures; ++f) {
        row[f] = static_cast<float>(random.normal(at + f));
        if (f % 5 == 3) row[f] = std::floor(2 * std::abs(row[f]));
        if (f % 7 == 5 && random.uniform(at + 500 + f) < 0.3) row[f] = NAN;
      }
      row[6] = 1;
      row[8] = q < num_queries / 2 ? 3 : NAN;                     // constant where it is there
      row[9] = q + 2 > num_queries && d == 0 ? 2.0F : 0.0F;       // all but constant
      row[10] = q < 2 ? NAN : row[10];                            // missing at the beginning only
      row[11] = static_cast<float>(random.below(at + 900, 12));   // a category
      row[12] = static_cast<float>(random.below(at + 902, 400));  // one with more than 256 bins
      const double truth = row[0] + row[0] * row[1] + (row[11] == 4 ? 1.5 : 0) +
                           (row[12] < 150 ? 0.7 : 0) + 0.4 * random.normal(at + 901);
      parts.grades.push_back(static_cast<float>(std::clamp(std::floor(truth + 1), 0.0, 4.0)));
      if (wanted.has_weights) parts.weights.push_back(weight);
      values.insert(values.end(), row, row + kFeatures);
    }
  }
  parts.features = Buffer<float>(values.size());
  std::ranges::copy(values, parts.features.data());
  parts.queries = QueryGroups(ids, sizes);
  for (std::size_t f = 0; f < kFeatures; ++f) parts.schema.add_feature(fmt::format("f{}", f));
  if (wanted.has_categories) {
    for (const std::size_t f : {11, 12}) parts.schema.set_category(f, {});
  }
  return Dataset(std::move(parts));
}

Dataset own_rows(const Dataset& data, const Communicator& machines) {
  const RowRange rows = share_of_rows(data.queries(), machines.rank(), machines.size());
  std::vector<std::uint32_t> numbers;
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    numbers.push_back(static_cast<std::uint32_t>(r));
  }
  return DatasetView(data, numbers).materialise();
}

// The model with its provenance, which has the digests of the data, and what is reported.
struct Trained {
  std::string model;
  std::string report;
  bool operator==(const Trained&) const = default;
};

Trained train_on(const Dataset& train, const Dataset& valid, const Method& method,
                 const Context& context) {
  TrainInputs inputs = make_inputs(TrainingData(train), "train.txt", context);
  const Dataset fitted =
      fit_together(inputs, valid, {.file = "valid.txt"}, "the validation data", context);
  add_valid(inputs, {.name = "valid.txt", .data = fitted}, context);
  TrainedModel trained = train_model(method, inputs, {}, context);
  trained.result.report.ms_per_tree.reset();
  return {write_native(trained.model), json_text(trained.result.report)};
}

std::unique_ptr<Method> method_of(const Case& wanted) {
  std::unique_ptr<Method> method = make_pipeline(wanted.method);
  for (const auto& [name, value] : wanted.settings) {
    if (name == "clean.stages") {
      set_param(*method, name, {"3", "6"});
    } else {
      testing::set(*method, name, value);
    }
  }
  return method;
}

class SeveralMachines : public ::testing::TestWithParam<Case> {};

TEST_P(SeveralMachines, TrainTheModelOfOne) {
  const Dataset train = make_rows(1, 70, GetParam());
  const Dataset valid = make_rows(2, 9, GetParam());
  const std::unique_ptr<Method> method = method_of(GetParam());
  method->settle({.has_valid = true});
  const Trained expected = train_on(train, valid, *method, testing::with_threads(2, 7));
  for (const int size : {1, 2, 3, 4}) {
    // More threads than cores, all of which stay awake, would take long.
    for (int threads = 1; threads <= (size <= 2 ? 2 : 1); ++threads) {
      std::vector<Trained> found(static_cast<std::size_t>(size));
      testing::on_machines(size, [&](const Machines& machines) {
        Context context = testing::with_threads(threads, 7);
        context.communicator = machines;
        found[static_cast<std::size_t>(machines->rank())] =
            train_on(own_rows(train, *machines), own_rows(valid, *machines), *method, context);
      });
      for (const Trained& each : found) {
        ASSERT_EQ(each.report, expected.report) << size << " machines, " << threads << " threads";
        ASSERT_EQ(each.model, expected.model) << size << " machines, " << threads << " threads";
      }
    }
  }
}

// The second of three machines has nothing, not even features; the others have all rows, and the
// last one alone those to validate on.
TEST_P(SeveralMachines, MayHaveNoRows) {
  const Dataset train = make_rows(1, 30, GetParam());
  const Dataset valid = make_rows(2, 5, GetParam());
  const std::unique_ptr<Method> method = method_of(GetParam());
  method->settle({.has_valid = true});
  const Trained expected = train_on(train, valid, *method, testing::with_threads(2, 7));
  testing::on_machines(3, [&](const Machines& machines) {
    Context context = testing::with_threads(1, 7);
    context.communicator = machines;
    const std::size_t half = train.num_queries() / 2;
    const Dataset parts[] = {slice_queries(train, 0, half), Dataset(),
                             slice_queries(train, half, train.num_queries())};
    EXPECT_EQ(train_on(parts[machines->rank()], machines->rank() == 2 ? valid : Dataset(), *method,
                       context),
              expected);
  });
}

const std::vector<Case> kCases = {
    {"Lambdamart", "lambdamart", {{"num_trees", "12"}, {"num_leaves", "12"}}},
    {"Full",
     "lambdamart",
     {{"num_trees", "6"}, {"num_leaves", "8"}, {"precision", "full"}, {"train_metric", "true"}},
     true,
     true},
    {"FewActiveRows",
     "lambdamart",
     {{"num_trees", "10"},
      {"num_leaves", "6"},
      {"active", "share"},
      {"active_share", "0.5"},
      {"min_leaf_rows", "40"},
      {"feature_fraction", "0.7"}},
     true},
    {"GossXendcg",
     "lambdamart",
     {{"num_trees", "8"},
      {"num_leaves", "8"},
      {"sample.method", "goss"},
      {"objective", "rank_xendcg"}}},
    {"SelectiveSour",
     "lambdamart",
     {{"num_trees", "14"},
      {"num_leaves", "6"},
      {"sample.method", "selective"},
      {"sample.top", "0.4"},
      {"sample.random", "0.2"},
      {"sample.every", "2"},
      {"clean.method", "sour"},
      {"clean.start", "3"},
      {"clean.end", "10"},
      {"clean.type", "all"}}},
    {"TunedSour",
     "lambdamart",
     {{"num_trees", "8"}, {"num_leaves", "5"}, {"clean.method", "sour"}, {"clean.tune", "true"}}},
    {"RowsMonotoneCategories",
     "lambdamart",
     {{"num_trees", "8"},
      {"num_leaves", "8"},
      {"sample.method", "rows"},
      {"monotone", "+f0"},
      {"min_bin_rows", "1"},
      {"min_data_per_group", "5"}},
     false,
     true},
    {"MartIsolation",
     "mart",
     {{"num_trees", "8"},
      {"num_leaves", "8"},
      {"sample.method", "queries"},
      {"clean.method", "isolation-forest"},
      {"clean.contamination", "0.05"}},
     true},
    {"RandomForest", "random-forest", {{"num_trees", "7"}, {"num_leaves", "8"}}},
    {"Tree", "tree", {{"max_depth", "4"}}, true, true},
    {"Ilmart",
     "ilmart",
     {{"num_trees", "10"}, {"num_leaves", "4"}, {"num_interactions", "2"}},
     true,
     true},
    {"IlmartBagsFast",
     "ilmart",
     {{"num_trees", "6"},
      {"num_leaves", "4"},
      {"num_interactions", "2"},
      {"bags", "2"},
      {"stop_on", "bag"},
      {"pair_selection.method", "fast"}}},
    {"Ebm", "ebm", {{"bags", "5"}, {"max_rounds", "7"}, {"num_interactions", "2"}}},
    {"EbmWeightsRowsCategories",
     "ebm",
     {{"bags", "2"},
      {"max_rounds", "9"},
      {"num_interactions", "1"},
      {"split", "row"},
      {"patience", "2"},
      {"tolerance", "0.02"}},
     true,
     true},
    {"EbmValid",
     "ebm",
     {{"bags", "2"}, {"max_rounds", "7"}, {"stop_on", "valid"}, {"valid_share", "0"}},
     true},
    {"EbmLambdarank",
     "ebm",
     {{"bags", "2"},
      {"max_rounds", "5"},
      {"num_interactions", "2"},
      {"objective", "lambdarank"},
      {"gradients_every", "7"}}},
    {"EbmValidXendcg",
     "ebm",
     {{"bags", "2"},
      {"max_rounds", "4"},
      {"num_interactions", "1"},
      {"stop_on", "valid"},
      {"objective", "rank_xendcg"},
      {"clean.method", "isolation-forest"}},
     true},
    {"CurrSour",
     "lambdamart",
     {{"num_trees", "9"},
      {"num_leaves", "6"},
      {"clean.method", "curr-sour"},
      {"clean.stages", "3,6"},
      {"clean.type", "all"}}},
    {"BagsOfPeer",
     "lambdamart",
     {{"num_trees", "6"},
      {"num_leaves", "6"},
      {"bags", "3"},
      {"objective", "peer"},
      {"train_metric", "true"}}},
};

INSTANTIATE_TEST_SUITE_P(Methods, SeveralMachines, ::testing::ValuesIn(kCases),
                         [](const auto& tested) { return tested.param.name; });

TEST(SeveralMachines, RefuseMethodsWhoseSumsAreTheirOwn) {
  const Dataset train = make_rows(1, 10, {});
  const std::string message = message_of([&] {
    testing::on_machines(2, [&](const Machines& machines) {
      Context context = testing::with_threads(1);
      context.communicator = machines;
      const TrainInputs inputs =
          make_inputs(TrainingData(own_rows(train, *machines)), "train.txt", context);
      train_model(*make_pipeline("linear"), inputs, {}, context);
    });
  });
  EXPECT_EQ(
      message,
      "linear trains on one machine only: its sums over rows are not shared among machines. "
      "Methods that train on several: " +
          methods_with([](const MethodTraits& traits) { return traits.alone_because.empty(); }));
}

TEST(SeveralMachines, RefuseRowsThatAreNotOneDataSet) {
  const Dataset train = make_rows(1, 10, {});
  EXPECT_EQ(message_of([&] {
              testing::on_machines(2, [&](const Machines& machines) {
                Context context = testing::with_threads(1);
                context.communicator = machines;
                make_inputs(TrainingData(train), "train.txt", context);
              });
            }),
            "the training data: query 'query0' is on machine 1 and on machine 2; all rows of a "
            "query must be on one machine, and different queries must have different ids");
}

// More machines than queries.
TEST(SeveralMachines, MayBeMoreThanQueries) {
  const Case small{"Small", "lambdamart", {{"num_trees", "4"}, {"min_leaf_rows", "2"}}};
  const Dataset train = make_rows(3, 3, small);
  const std::unique_ptr<Method> method = method_of(small);
  const Trained expected = train_on(train, train, *method, testing::with_threads(1));
  testing::on_machines(4, [&](const Machines& machines) {
    Context context = testing::with_threads(1);
    context.communicator = machines;
    const Dataset own = own_rows(train, *machines);
    EXPECT_EQ(train_on(own, own, *method, context), expected);
  });
}

}  // namespace
}  // namespace glassrank
