// A model of every method of the registry is explained, summarised and reported as it comes.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/explain/explain_queries.h"
#include "glassrank/explain/global/explainer_summary.h"
#include "glassrank/explain/registry.h"
#include "glassrank/methods/training/pipeline.h"
#include "glassrank/report/bundle/make_bundle.h"
#include "glassrank/report/bundle/parts.h"
#include "testing/method_fixture.h"

namespace glassrank {
namespace {

ReportParams quick() {
  ReportParams params;
  params.metrics = {"ndcg@5"};
  params.baselines = 1;
  params.repeats = 1;
  params.documents = 60;
  params.list_queries = 1;
  params.counterfactual_queries = 1;
  params.counterfactuals = 1;
  params.k = 2;
  params.audit_queries = 2;
  params.dependence_features = 2;
  return params;
}

class EveryMethod : public ::testing::TestWithParam<std::string> {
 protected:
  Model trained() const {
    const auto method = make_pipeline(GetParam());
    testing::shorten(*method);
    return testing::train(*method, train_, nullptr).model;
  }

  const Dataset train_ = testing::method_data(1);
  const Dataset test_ = testing::method_data(2);
};

TEST_P(EveryMethod, ExplainsAPairByWhatDecidesTheGrade) {
  const Model model = trained();
  const auto scorer = make_scorer(model);
  const Subject subject{.scorer = *scorer, .model = &model, .background = train_};
  const auto explainer = make_explainer(explainers_for({}, model).front());
  const ExplanationSession session(subject, test_, *explainer, {}, {});
  const ExplanationView view = session.explain(0, {.pair = {"rank:1", "rank:8"}}).front();
  ASSERT_FALSE(view.features.empty());
  EXPECT_EQ(view.features.front().feature, "x0");
  EXPECT_GT(*view.features.front().attribution, 0);
  EXPECT_LE(*view.audit.additivity_residual, 1e-6);

  const std::vector<std::string> names = {"x0", "x1", "x2", "x3"};
  const AttributionSummary summary = summarise_explainer(
      subject, {.data = test_, .features = names, .groups = {}}, *explainer, {}, {});
  EXPECT_GT(summary.all.features[0].mean_amount_within, 0);
}

TEST_P(EveryMethod, HasAReport) {
  const ReportBundle bundle = make_bundle({.models = {{.name = "m", .model = trained()}},
                                           .data = test_,
                                           .data_file = "test.txt",
                                           .train = train_},
                                          quick(), {});
  const BundleModel& model = bundle.models.front();
  EXPECT_FALSE(model.attributions.empty());
  EXPECT_FALSE(model.sets.empty());
  EXPECT_TRUE(bundle.audit.has_value());
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryMethod, ::testing::ValuesIn(testing::method_names()),
                         testing::name_of_method);

// As the files of RankLib and of other programs hold them.
TEST(TablesWithoutWeights, HaveAReportWithThoseOfTheTrainingData) {
  const Dataset train = testing::method_data(1);
  GamEffect curve{
      .axes = {{.feature = 0, .edges = {0.5F}}}, .values = {0, 1, 0}, .errors = {}, .weights = {}};
  const Model model{.body = Gam({.effects = {curve}, .num_features = 4}), .provenance = {}};
  const ReportBundle bundle = make_bundle({.models = {{.name = "m", .model = model}},
                                           .data = testing::method_data(2),
                                           .data_file = "test.txt",
                                           .train = train},
                                          quick(), {});
  double num_above = 0;
  for (std::size_t r = 0; r < train.num_rows(); ++r) num_above += train.row(r)[0] > 0.5F ? 1 : 0;
  const double base = unpack(bundle.models.front().attributions.front().base_values).front();
  EXPECT_NEAR(base, num_above / static_cast<double>(train.num_rows()), 1e-6);
}

}  // namespace
}  // namespace glassrank
