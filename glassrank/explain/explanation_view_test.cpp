#include "glassrank/explain/explanation_view.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/base/json.h"
#include "testing/explanation_fixture.h"
#include "testing/study_fixture.h"

namespace glassrank {
namespace {

using testing::ExampleQuery;

TEST(ExplanationView, ListsFeaturesByAmountWithoutThoseThatAddNothing) {
  const ExampleQuery query;
  const ExplanationView view = query.view(ExampleQuery::of_document());
  ASSERT_EQ(view.features.size(), 3);
  EXPECT_EQ(view.features[0].feature, "bm25_title");
  EXPECT_EQ(view.features[1].feature, "price");
  EXPECT_EQ(view.features[2].feature, "4");
  EXPECT_EQ(view.features[1].value, 5.49);  // as written, not the nearest float
  EXPECT_TRUE(std::isnan(*view.features[2].value));
  EXPECT_TRUE(view.features[1].is_chosen);
  EXPECT_FALSE(view.features[2].is_chosen);
  EXPECT_DOUBLE_EQ(*view.features[0].share, 1.3 / 1.8);
  EXPECT_FALSE(view.features[0].other_value || view.features[0].low || view.abstains);
}

TEST(ExplanationView, KeepsTheModelsOrderForEqualAmounts) {
  const ExampleQuery query;
  Explanation explanation = ExampleQuery::of_document();
  explanation.attributions = {0.5, -0.5, 0.5, 1.3};
  const ExplanationView view = query.view(explanation);
  EXPECT_EQ(view.features[1].index, 0);
  EXPECT_EQ(view.features[2].index, 1);
  EXPECT_EQ(view.features[3].index, 2);
}

TEST(ExplanationView, JoinsDocumentsWithRanksScoresAndGrades) {
  const ExampleQuery query;
  const ExplanationView pair = query.view(ExampleQuery::of_pair());
  ASSERT_EQ(pair.documents.size(), 2);
  EXPECT_EQ(pair.documents[1].document, "sea");
  EXPECT_EQ(pair.documents[1].rank, 2);
  EXPECT_EQ(pair.documents[1].score, 0.71);
  EXPECT_EQ(pair.documents[1].grade, 0);
  EXPECT_EQ(pair.features[0].other_value, 2.0);
  EXPECT_EQ(query.view(ExampleQuery::of_ranking()).documents.size(), 3);
}

TEST(ExplanationView, OfARankingHasTheSpanOfValues) {
  const ExampleQuery query;
  const ExplanationView view = query.view(ExampleQuery::of_ranking());
  ASSERT_EQ(view.features.size(), 2);
  EXPECT_EQ(view.features[0].low, 2.0);
  EXPECT_EQ(view.features[0].high, 7.1);
  EXPECT_EQ(view.features[1].low, 1);  // the missing value aside
  EXPECT_EQ(view.features[1].high, 2);
  EXPECT_FALSE(view.features[0].attribution || view.features[0].share);
}

TEST(ExplanationView, HasNoShareOfNothing) {
  const ExampleQuery query;
  Explanation explanation = ExampleQuery::of_document();
  explanation.attributions = {1, -1, 0, 0};
  explanation.value = explanation.base_value + 1e-12;
  EXPECT_FALSE(query.view(explanation).features[0].share);
}

TEST(ExplanationView, SumsTheFeaturesThatAreNotShown) {
  const ExampleQuery query;
  const ExplanationView view = query.view(ExampleQuery::of_document());
  EXPECT_EQ(other_features(view, 1).num_features, 2);
  EXPECT_DOUBLE_EQ(other_features(view, 1).attribution, 0.5);
  EXPECT_EQ(other_features(view, 3).num_features, 0);
}

TEST(ExplanationView, IsJsonOfDocumentedKeys) {
  const ExampleQuery query;
  Explanation explanation = ExampleQuery::of_pair();
  explanation.standard_errors = {0.1, 0.1, 0, 0};
  explanation.audit.validity = 0.5;
  const Json json = to_json(query.view(explanation));
  EXPECT_EQ(json["target"], "pair");
  EXPECT_EQ(json["query"], "q7");
  EXPECT_EQ(json["documents"][0]["rank"], 1);
  EXPECT_EQ(json["features"][1]["value"], 5.49);
  EXPECT_EQ(json["features"][1]["standard_error"], 0.1);
  EXPECT_EQ(json["audit"]["validity"], 0.5);
  EXPECT_FALSE(json.contains("abstains"));
  EXPECT_FALSE(json["features"][0].contains("low"));
  explanation.abstains = "too few samples";
  EXPECT_EQ(to_json(query.view(explanation))["abstains"], "too few samples");
  explanation.target = Target::of_document(0);
  explanation.attributions = {0, 0, 0, 1};
  EXPECT_TRUE(to_json(query.view(explanation))["features"][0]["value"].is_null());  // missing
}

TEST(ExplanationTable, HasALineForEveryFeatureOfEveryExplanation) {
  const ExampleQuery query;
  Explanation greedy = ExampleQuery::of_ranking();
  greedy.gains = {0.75, 0.25};
  const std::vector<ExplanationView> views = {query.view(ExampleQuery::of_pair()),
                                              query.view(greedy)};
  EXPECT_EQ(
      table_tsv(explanation_table(views)),
      "query\ttarget\tdocument\tother\texplainer\tvalue_explained\tbase_value\tindex\tfeature\t"
      "is_chosen\tvalue\tother_value\tlow\thigh\tattribution\tstandard_error\tshare\tgain\t"
      "abstains\n"
      "q7\tpair\triver\tsea\ttree-shap\t1.6\t0\t0\tbm25_title\t1\t7.1\t2\t\t\t1.3\t\t0.8125\t\t\n"
      "q7\tpair\triver\tsea\ttree-shap\t1.6\t0\t1\tprice\t1\t5.49\t12\t\t\t0.5\t\t0.3125\t\t\n"
      "q7\tpair\triver\tsea\ttree-shap\t1.6\t0\t2\tin_stock\t0\t1\t0\t\t\t-0.2\t\t-0.125\t\t\n"
      "q7\tranking\t\t\tgreedy\t1\t0\t0\tbm25_title\t1\t\t\t2\t7.1\t\t\t\t0.75\t\n"
      "q7\tranking\t\t\tgreedy\t1\t0\t3\t4\t1\t\t\t1\t2\t\t\t\t0.25\t\n");
}

TEST(ExplanationNames, TellSwitchesFromTheBackground) {
  const float nan = std::nanf("");
  const Dataset data = testing::documents_of(
      {3}, {0, 0, 0}, {{0, 0, 1, 0.5F, nan}, {1, 2, 1, 1, 0}, {nan, 1, 1, 0, 1}});
  const auto scorer = make_function_scorer(5, [](MatrixView<const float>, std::span<double>) {});
  const Subject subject{.scorer = *scorer, .background = data};
  const ExplanationNames names = explanation_names(subject, data);
  // The third is always 1: nothing says that it is a switch.
  EXPECT_EQ(names.is_switch, (std::vector<bool>{true, false, false, false, true}));
  EXPECT_EQ(names.features, (std::vector<std::string>{"f0", "f1", "f2", "f3", "f4"}));
  EXPECT_EQ(document_names(data, 0), (std::vector<std::string>{"1", "2", "3"}));
}

}  // namespace
}  // namespace glassrank
