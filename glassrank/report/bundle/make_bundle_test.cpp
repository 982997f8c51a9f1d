#include "glassrank/report/bundle/make_bundle.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/match_columns.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/server/request_body.h"

namespace glassrank {
namespace {

// Small enough to be made in every test.
struct Shop {
  Bookshop data = make_bookshop({.queries = 30, .documents_per_query = 12, .books = 200}, 3);
  Model forest;

  Shop() {
    LambdamartParams params;
    params.boosting.num_trees = 12;
    params.boosting.num_leaves = 6;
    forest.body = train_lambdamart(data.train, nullptr, params, {}).forest;
  }
  ReportTask task() const {
    return {.models = {{.name = "trees", .file = "m.txt", .format = "native", .model = forest}},
            .data = data.test,
            .data_file = "test.txt",
            .train = data.train,
            .train_file = "train.txt"};
  }
};

ReportParams quick() {
  ReportParams params;
  params.metrics = {"ndcg@5"};
  params.baselines = 2;
  params.repeats = 1;
  params.list_queries = 2;
  params.counterfactual_queries = 1;
  params.counterfactuals = 2;
  params.audit_queries = 2;
  params.audit_methods = {"tree-shap", "random"};
  params.dependence_features = 3;
  params.cutoff = 3;
  return params;
}

TEST(MakeBundle, AttributionsAddUpToTheScores) {
  const Shop shop;
  const ReportBundle bundle = make_bundle(shop.task(), quick(), {});
  const BundleModel& model = bundle.models.front();
  const std::vector<double> scores = unpack(model.scores);
  const BundleAttributions& attributions = model.attributions.front();
  const std::vector<double> base = unpack(attributions.base_values);
  const std::vector<double> steps = unpack(attributions.steps);
  const std::vector<double> amounts = unpack(attributions.amounts);
  const std::size_t n = scores.size();
  ASSERT_EQ(n, shop.data.test.num_rows());
  ASSERT_EQ(amounts.size(), n * bundle.features.size());
  for (std::size_t d = 0; d < n; ++d) {
    double sum = base[d];
    for (std::size_t f = 0; f < bundle.features.size(); ++f) sum += amounts[f * n + d] * steps[d];
    EXPECT_NEAR(sum, scores[d], 1e-3) << d;
  }
}

TEST(MakeBundle, ValuesAreThoseOfTheData) {
  const Shop shop;
  const ReportBundle bundle = make_bundle(shop.task(), quick(), {});
  EXPECT_FALSE(bundle.documents.is_rounded);
  for (std::size_t f = 0; f < bundle.features.size(); ++f) {
    const std::vector<double> levels = unpack(bundle.documents.values[f].levels);
    const std::vector<double> codes = unpack(bundle.documents.values[f].codes);
    for (std::size_t d = 0; d < codes.size(); ++d) {
      const double value = levels[static_cast<std::size_t>(codes[d])];
      const double given = shop.data.test.row(d)[f];
      EXPECT_TRUE(value == given || (std::isnan(value) && std::isnan(given))) << d << ' ' << f;
    }
  }
}

TEST(MakeBundle, RanksAreThoseOfTheScores) {
  const Shop shop;
  const ReportBundle bundle = make_bundle(shop.task(), quick(), {});
  const std::vector<double> scores = unpack(bundle.models.front().scores);
  const std::vector<double> ranks = unpack(bundle.models.front().ranks);
  for (std::size_t q = 0; q + 1 < bundle.documents.first.size(); ++q) {
    for (std::size_t a = bundle.documents.first[q]; a < bundle.documents.first[q + 1]; ++a) {
      std::size_t above = 0;
      for (std::size_t b = bundle.documents.first[q]; b < bundle.documents.first[q + 1]; ++b) {
        above += scores[b] > scores[a] || (scores[b] == scores[a] && b < a) ? 1 : 0;
      }
      EXPECT_EQ(ranks[a], static_cast<double>(above));
    }
  }
}

// The page scores documents with them.
TEST(MakeBundle, TreesScoreAsTheModelDoes) {
  const Shop shop;
  const ReportBundle bundle = make_bundle(shop.task(), quick(), {});
  const BundleModel& model = bundle.models.front();
  ASSERT_TRUE(model.trees);
  const auto sizes = unpack(model.trees->num_nodes);
  const auto features = unpack(model.trees->features);
  const auto thresholds = unpack(model.trees->thresholds);
  const auto left = unpack(model.trees->left);
  const auto right = unpack(model.trees->right);
  const auto flags = unpack(model.trees->flags);
  const auto leaves = unpack(model.trees->leaves);
  const std::span<const float> row = shop.data.test.row(7);
  double score = model.intercept;
  std::size_t node = 0;
  std::size_t leaf = 0;
  for (const double size : sizes) {
    int child = size == 0 ? -1 : 0;
    while (child >= 0) {
      const std::size_t at = node + static_cast<std::size_t>(child);
      const float value = row[static_cast<std::size_t>(features[at])];
      const bool goes_left =
          std::isnan(value) ? (static_cast<int>(flags[at]) & 1) != 0 : value <= thresholds[at];
      child = static_cast<int>(goes_left ? left[at] : right[at]);
    }
    score += leaves[leaf + static_cast<std::size_t>(~child)];
    node += static_cast<std::size_t>(size);
    leaf += static_cast<std::size_t>(size) + 1;
  }
  EXPECT_NEAR(score, score_row(shop.forest, row), 1e-5);
}

// Base value and amounts of every document add up to its score.
void expect_sums(const BundleModel& model, std::size_t num_features) {
  const std::vector<double> scores = unpack(model.scores);
  const BundleAttributions& attributions = model.attributions.front();
  const std::vector<double> base = unpack(attributions.base_values);
  const std::vector<double> steps = unpack(attributions.steps);
  const std::vector<double> amounts = unpack(attributions.amounts);
  for (std::size_t d = 0; d < scores.size(); ++d) {
    double sum = base[d];
    for (std::size_t f = 0; f < num_features; ++f) {
      sum += amounts[f * scores.size() + d] * steps[d];
    }
    // An amount is off by half a step at most, scores are floats.
    EXPECT_NEAR(sum, scores[d], steps[d] * static_cast<double>(num_features) / 2 + 1e-3) << d;
  }
}

TEST(MakeBundle, LinearModelsWithoutMeansTakeThemFromTheTrainingData) {
  const Shop shop;
  ReportTask task = shop.task();
  std::vector<double> weights(shop.data.test.num_features());
  for (std::size_t f = 0; f < weights.size(); ++f) weights[f] = f % 3 == 0 ? 0.25 : -0.125;
  task.models.front().model.body = Linear({.weights = weights});
  const ReportBundle bundle = make_bundle(task, quick(), {});
  EXPECT_EQ(bundle.models.front().attributions.front().explainer, "tree-shap");
  EXPECT_FALSE(bundle.models.front().attributions.front().errors);  // exact
  expect_sums(bundle.models.front(), weights.size());
}

TEST(MakeBundle, NeuralNetworksAreExplainedWithFewSamplesThatStillAddUp) {
  const Shop shop;
  ReportTask task = shop.task();
  const std::size_t num_features = shop.data.test.num_features();
  std::vector<double> weights(2 * num_features);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.01 * static_cast<double>(i % 7);
  task.models.front().model.body =
      Mlp({.layers = {{.num_inputs = num_features,
                       .weights = weights,
                       .biases = {0.1, -0.2},
                       .activation = Activation::kTanh},
                      {.num_inputs = 2, .weights = {1, -2}, .biases = {0}}}});
  ReportParams params = quick();
  params.documents = 40;
  params.audit_methods = {"kernel-shap", "random"};
  const ReportBundle bundle = make_bundle(task, params, {});
  const BundleAttributions& attributions = bundle.models.front().attributions.front();
  EXPECT_EQ(attributions.explainer, "kernel-shap");
  expect_sums(bundle.models.front(), num_features);
  // Samples have errors, as one byte each.
  ASSERT_TRUE(attributions.errors && attributions.error_steps);
  const std::vector<double> errors = unpack(*attributions.errors);
  const std::vector<double> steps = unpack(*attributions.error_steps);
  ASSERT_EQ(errors.size(), steps.size() * num_features);
  for (std::size_t d = 0; d < steps.size(); ++d) {
    double largest = 0;
    for (std::size_t f = 0; f < num_features; ++f) {
      largest = std::max(largest, errors[f * steps.size() + d]);
    }
    EXPECT_EQ(largest, steps[d] > 0 ? 255 : 0) << d;
  }
}

TEST(MakeBundle, HoldsNoMoreDocumentsThanAskedFor) {
  const Shop shop;
  ReportParams params = quick();
  params.documents = 30;
  const ReportBundle bundle = make_bundle(shop.task(), params, {});
  EXPECT_LE(bundle.documents.names.size(), 30U);
  EXPECT_GT(bundle.documents.names.size(), 0U);
  EXPECT_EQ(bundle.documents.names.size() + bundle.documents.num_left_out,
            shop.data.test.num_rows());
  // Metrics are over all queries all the same.
  EXPECT_EQ(bundle.comparison.metrics.front().num_queries, shop.data.test.num_queries());
}

TEST(MakeBundle, LeavesOutNoMoreThanItMust) {
  const Shop shop;
  const Dataset& data = shop.data.test;
  std::size_t longest = 0;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    longest = std::max(longest, data.queries().rows(q).size());
  }
  ReportParams params = quick();
  params.documents = static_cast<int>(data.num_rows()) - 1;
  const ReportBundle bundle = make_bundle(shop.task(), params, {});
  EXPECT_LE(bundle.documents.num_left_out, longest);
}

TEST(MakeBundle, IsTheSameForAnyNumberOfThreads) {
  const Shop shop;
  ReportParams params = quick();
  params.audit_queries = 0;  // tells times
  Context one;
  one.threads = std::make_shared<Threads>(1);
  Context three;
  three.threads = std::make_shared<Threads>(3);
  EXPECT_EQ(json_text(make_bundle(shop.task(), params, one)),
            json_text(make_bundle(shop.task(), params, three)));
}

TEST(MakeBundle, HasEveryPartOfThePage) {
  const Shop shop;
  const ReportBundle bundle = make_bundle(shop.task(), quick(), {});
  const BundleModel& model = bundle.models.front();
  EXPECT_EQ(bundle.comparison.systems.size(), 3U);
  EXPECT_EQ(model.importance.size(), bundle.features.size());
  EXPECT_EQ(model.dependence.size(), 3U);
  EXPECT_EQ(model.curve->series.size(), 2U);
  EXPECT_EQ(model.sets.size(), 4U);
  EXPECT_EQ(model.counterfactuals.size(), 2U);
  EXPECT_EQ(bundle.audit->methods.size(), 2U);
  ASSERT_TRUE(bundle.outliers);
  EXPECT_EQ(bundle.outliers->groups.size(), 3U);
}

bool warns(const ReportBundle& bundle, const std::string& text) {
  return std::ranges::any_of(bundle.warnings, [&](const std::string& warning) {
    return warning.find(text) != std::string::npos;
  });
}

TEST(MakeBundle, SaysFirstThatDataWasTrainedOn) {
  const Shop shop;
  ReportTask task = shop.task();
  const auto seen_with = [&](const Provenance& lines) {
    task.models.front().model.provenance = lines;
    return make_bundle(task, quick(), {});
  };
  const std::string digest = dataset_digest(shop.data.test, {});
  EXPECT_EQ(seen_with({{"train.digest", "0123"}, {"valid.digest", "0"}}).models[0].seen, "");
  const ReportBundle trained = seen_with({{"train.digest", digest}});
  EXPECT_EQ(trained.models[0].seen, "training data");
  EXPECT_EQ(trained.warnings.front().substr(0, 42), "trees is measured on the data it was train");
  EXPECT_NE(trained.notes.front().find("; this is its training data"), std::string::npos);
  const ReportBundle validated = seen_with({{"valid.digest", digest}});
  EXPECT_EQ(validated.models[0].seen, "validation data");
  EXPECT_EQ(validated.warnings.front().substr(0, 39), "trees is measured on its validation dat");
  // Models of other programs keep no digest; --train may tell.
  task.train = task.data;
  EXPECT_EQ(seen_with({}).models[0].seen, "training data");
}

// Four columns of the shop, and a model of them.
ReportTask four_features(const Shop& shop) {
  ReportTask task = shop.task();
  const auto narrow = [](const Dataset& data) {
    return take_columns(data, {.names = data.feature_names().first(4), .num_features = 4},
                        {.columns = {0, 1, 2, 3}}, OtherColumns::kDrop, {});
  };
  task.data = narrow(shop.data.test);
  task.train = narrow(shop.data.train);
  LambdamartParams params;
  params.boosting.num_trees = 5;
  task.models.front().model.body = train_lambdamart(task.train, nullptr, params, {}).forest;
  return task;
}

TEST(MakeBundle, NamesHalfOfFewFeaturesAtMost) {
  const Shop shop;
  const ReportBundle bundle = make_bundle(four_features(shop), quick(), {});
  EXPECT_EQ(bundle.audit->k, 2U);
  ASSERT_EQ(bundle.named.size(), 2U);
  EXPECT_EQ(bundle.named[1], (NamedValue{"random", 2.0}));
  for (const BundleSet& set : bundle.models.front().sets) EXPECT_LE(set.features.size(), 2U);
}

TEST(MakeBundle, RanksByNoFeatureOfCategories) {
  const Shop shop;
  ReportTask task = four_features(shop);
  ReportParams params = quick();
  params.baselines = 4;
  EXPECT_EQ(make_bundle(task, params, {}).comparison.systems.size(), 5U);
  Schema schema = task.data.schema();
  schema.set_category(1, {"red", "green"});
  const std::string name = task.data.feature_names()[1];
  RowTable table = task.data.table();
  table.schema = schema;
  task.data = task.data.with_table(std::make_shared<const RowTable>(std::move(table)));
  const ReportBundle bundle = make_bundle(task, params, {});
  EXPECT_EQ(bundle.comparison.systems.size(), 4U);
  for (const std::string& system : bundle.comparison.systems) {
    EXPECT_FALSE(system.starts_with(name + " alone")) << system;
  }
}

Gam gam_of_one_curve(std::size_t num_features) {
  return Gam({.effects = {{.axes = {{.feature = 0, .edges = {0.5F}}},
                           .values = {-1, 1, 0},
                           .errors = {},
                           .weights = {}}},
              .num_features = num_features});
}

TEST(MakeBundle, ShowsTheRecordedRoundsOfAModelWithoutTrees) {
  const Shop shop;
  ReportTask task = shop.task();
  task.models.front().model.body = gam_of_one_curve(shop.data.test.num_features());
  EXPECT_FALSE(make_bundle(task, quick(), {}).models.front().curve);
  task.models.front().record =
      RecordedRun{.settings = {},
                  .rounds = {{.round = 1, .metrics = {{"valid ndcg@5", 0.5}, {"valid map", 0.1}}},
                             {.round = 2, .metrics = {{"valid ndcg@5", 0.75}}}}};
  const BundleModel model = make_bundle(task, quick(), {}).models.front();
  ASSERT_TRUE(model.curve);
  EXPECT_TRUE(model.curve->is_recorded);
  EXPECT_EQ(model.curve->num_trees, (std::vector<std::size_t>{1, 2}));
  ASSERT_EQ(model.curve->series.size(), 1U);
  EXPECT_EQ(model.curve->series[0].name, "valid ndcg@5");
  EXPECT_EQ(model.curve->series[0].values, (std::vector<double>{0.5, 0.75}));
}

TEST(MakeBundle, FollowsTheTreesOfTheFirstForest) {
  const Shop shop;
  ReportTask task = shop.task();
  task.models.insert(
      task.models.begin(),
      {.name = "curves",
       .file = "c.json",
       .format = "gam-json",
       .model = {.body = gam_of_one_curve(shop.data.test.num_features()), .provenance = {}}});
  const ReportBundle bundle = make_bundle(task, quick(), {});
  ASSERT_TRUE(bundle.outliers);
  EXPECT_EQ(bundle.outliers->model, "trees");
  task.models.pop_back();
  EXPECT_FALSE(make_bundle(task, quick(), {}).outliers);
}

TEST(MakeBundle, TellsWhatWasWarnedOfAndWhichCategoriesAreNotKnown) {
  const Shop shop;
  ReportTask task = shop.task();
  task.notices = {"test.txt: columns are taken in their order"};
  task.unknown = {{.feature = 1, .row = 3, .text = "teal"},
                  {.feature = 1, .row = 5, .text = "pink"}};
  const ReportBundle bundle = make_bundle(task, quick(), {});
  EXPECT_TRUE(warns(bundle, "test.txt: columns are taken in their order."));
  EXPECT_TRUE(warns(bundle, "2 documents have categories of " + bundle.features[1].name +
                                " that training did not see: 'pink', 'teal'."));
  ASSERT_EQ(bundle.features[1].unknown.size(), 2U);
  EXPECT_EQ(bundle.features[1].unknown[0].document, 3U);
  EXPECT_EQ(bundle.features[1].unknown[0].text, "teal");
}

TEST(MakeBundle, SpeaksOfTwinFeaturesInWholeSentences) {
  const Shop shop;
  ReportTask task = four_features(shop);
  const auto twice = [](const Dataset& data) {
    return take_columns(data, {.names = data.feature_names(), .num_features = 4},
                        {.columns = {0, 0, 2, 3}}, OtherColumns::kDrop, {});
  };
  task.data = twice(task.data);
  task.train = twice(task.train);
  EXPECT_TRUE(warns(make_bundle(task, quick(), {}),
                    "1 feature of the data is equal to another one in every document"));
}

TEST(MakeBundle, OneDocumentIsEnough) {
  const Shop shop;
  ReportTask task = shop.task();
  const std::span<const float> row = shop.data.test.row(0);
  const RequestDocuments one{.values = {row.begin(), row.end()}, .ids = {"a"}, .num_rows = 1};
  task.data = one.dataset("q", shop.data.test.feature_names());
  task.train = Dataset();
  ReportParams params = quick();
  params.audit_methods.clear();
  const ReportBundle bundle = make_bundle(task, params, {});
  EXPECT_EQ(bundle.documents.names.size(), 1U);
  params.audit_methods = {"lirme"};
  try {
    make_bundle(task, params, {});
    FAIL() << "lirme needs documents that differ";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("take the training data (--train)"), std::string::npos);
  }
}

std::string message_of(const ReportTask& task, const ReportParams& params) {
  try {
    make_bundle(task, params, {});
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

TEST(MakeBundle, SaysWhatIsWrong) {
  const Shop shop;
  EXPECT_EQ(message_of({.models = {}, .data = shop.data.test, .data_file = ""}, quick()),
            "a report needs a model");
  ReportTask task = shop.task();
  task.data = Dataset();
  EXPECT_EQ(message_of(task, quick()), "a report needs documents; there are none");
  task = shop.task();
  task.models.push_back(task.models.front());
  EXPECT_EQ(message_of(task, quick()), "two models have the name trees; give one of them another");
  ReportParams params = quick();
  params.metrics.clear();
  EXPECT_EQ(message_of(shop.task(), params), "a report needs a metric");
  params = quick();
  params.explainers = {"greedy"};
  EXPECT_EQ(message_of(shop.task(), params),
            "greedy gives no amounts for single documents; a report shows those of explainers such "
            "as tree-shap, kernel-shap or lirme");
}

}  // namespace
}  // namespace glassrank
