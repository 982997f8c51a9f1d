// Pictures of many documents: what is drawn, in which order, and that it stays small.

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/report/explanation_plots/audit_picture.h"
#include "glassrank/report/explanation_plots/beeswarm.h"
#include "glassrank/report/explanation_plots/colour_bar.h"
#include "glassrank/report/explanation_plots/decision_plot.h"
#include "glassrank/report/explanation_plots/dependence_plot.h"
#include "glassrank/report/explanation_plots/query_heat_map.h"
#include "glassrank/report/explanation_plots/stacked_force.h"
#include "glassrank/report/explanation_plots/summary_plot.h"
#include "glassrank/report/explanation_plots/validity_plot.h"
#include "glassrank/report/plots/palette.h"
#include "testing/message_of.h"
#include "testing/picture_checks.h"

namespace glassrank {
namespace {

using testing::count_in;
using testing::expect_sound;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Two documents, three features: the first gives both the same, the second tells them apart.
AttributionTable two_documents() {
  return {.features = {"same", "apart", "small"},
          .documents = {"a", "b"},
          .attributions = {2, 1, 0.1, 2, -1, 0},
          .values = {5, 3, kNaN, 5, 1, 0},
          .scores = {3.6, 1.5},
          .grades = {2, 0},
          .base_value = 0.5};
}

AttributionTable many_documents(std::size_t num_documents, std::size_t num_features) {
  AttributionTable table;
  for (std::size_t f = 0; f < num_features; ++f) table.features.push_back(fmt::format("f{}", f));
  for (std::size_t d = 0; d < num_documents; ++d) {
    table.documents.push_back(fmt::format("d{}", d));
    double score = 0;
    for (std::size_t f = 0; f < num_features; ++f) {
      const double phase = static_cast<double>(d * 7 + f * 3);
      table.attributions.push_back(std::sin(phase) / static_cast<double>(f + 1));
      table.values.push_back(f == 1 && d % 5 == 0 ? kNaN : std::cos(phase));
      score += table.attributions.back();
    }
    table.scores.push_back(score);
  }
  return table;
}

TEST(AttributionTable, OrdersByAmountOrBySpread) {
  const AttributionTable table = two_documents();
  EXPECT_EQ(ordered_features(table, FeatureOrder::kImportance),
            (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(ordered_features(table, FeatureOrder::kSpread), (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(ordered_features(table, FeatureOrder::kGiven), (std::vector<std::size_t>{0, 1, 2}));
  // Standard deviations: 0, 1, 0.05.
  EXPECT_EQ(feature_weights(table, FeatureOrder::kSpread)[0], 0);
  EXPECT_DOUBLE_EQ(feature_weights(table, FeatureOrder::kSpread)[1], 1);
  EXPECT_DOUBLE_EQ(feature_weights(table, FeatureOrder::kSpread)[2], 0.05);
  EXPECT_DOUBLE_EQ(feature_weights(table, FeatureOrder::kImportance)[2], 0.05);
}

TEST(AttributionTable, MeasuresSpreadWithinQueries) {
  AttributionTable table = two_documents();
  table.queries = {4, 9};  // each alone in its query: nothing tells documents of a query apart
  EXPECT_EQ(feature_weights(table, FeatureOrder::kSpread), (std::vector<double>{0, 0, 0}));
  table.documents = {"a", "b", "c", "d"};
  table.attributions = {1, 0, 0, 1, 2, 0, 5, 7, 0, 5, 9, 0};
  table.queries = {4, 4, 9, 9};
  // The first feature differs between queries only; the second by 2 within each.
  EXPECT_EQ(feature_weights(table, FeatureOrder::kSpread), (std::vector<double>{0, 1, 0}));
}

TEST(AttributionTable, SumsTheOtherFeatures) {
  const AttributionTable first = first_features(two_documents(), FeatureOrder::kSpread, 1);
  EXPECT_EQ(first.features, (std::vector<std::string>{"apart", "2 other features"}));
  EXPECT_EQ(first.attributions, (std::vector<double>{1, 2.1, -1, 2}));
  EXPECT_EQ(first.value(0, 0), 3);
  EXPECT_TRUE(std::isnan(first.value(1, 1)));
  EXPECT_EQ(first_features(two_documents(), FeatureOrder::kSpread, 2).features.size(), 3);
}

TEST(Percentiles, GiveEqualValuesOnePlace) {
  const std::vector<double> column = {3, 1, kNaN, 1, 7};
  const std::vector<double> places = percentiles(column);
  // Middles: 1 at 1, 3 at 2.5, 7 at 3.5.
  EXPECT_EQ(places[1], 0);
  EXPECT_EQ(places[3], 0);
  EXPECT_DOUBLE_EQ(places[0], 1.5 / 2.5);
  EXPECT_EQ(places[4], 1);
  EXPECT_TRUE(std::isnan(places[2]));
  EXPECT_EQ(percentiles(std::vector<double>{4, 4}), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(percentiles(std::vector<double>{0, 1, 1, 1}), (std::vector<double>{0, 1, 1, 1}));
}

TEST(StackedForce, HasASegmentForEveryPart) {
  const Picture picture = draw(StackedForce{.title = "s", .table = two_documents()});
  expect_sound(picture);
  // Six parts, one of them 0, and three squares of the legend.
  EXPECT_EQ(count_in(picture.body, "<rect"), 5 + 3);
  EXPECT_EQ(count_in(picture.body, "<circle"), 2 * 2 + 1);  // one in the legend
}

TEST(StackedForce, ColoursAtMostSixFeatures) {
  const Picture picture =
      draw(StackedForce{.title = "s", .table = many_documents(40, 12), .most_features = 50});
  expect_sound(picture);
  EXPECT_NE(picture.body.find("6 other features"), std::string::npos);
  EXPECT_NE(picture.body.find(std::string(kNoValueColour)), std::string::npos);
}

TEST(DecisionPlot, NamesFewDocumentsAndColoursManyByScore) {
  const Picture few = draw(DecisionPlot{.title = "d", .table = two_documents()});
  expect_sound(few);
  EXPECT_EQ(count_in(few.body, "<polyline"), 2);
  EXPECT_NE(few.body.find(">a</text>"), std::string::npos);
  const Picture many = draw(DecisionPlot{.title = "d", .table = many_documents(30, 25)});
  expect_sound(many);
  EXPECT_EQ(count_in(many.body, "<polyline"), 30);
  EXPECT_EQ(many.body.find(">d3</text>"), std::string::npos);
  EXPECT_NE(many.body.find(percentile_colour(1)), std::string::npos);
  EXPECT_NE(many.body.find("9 other features"), std::string::npos);
}

TEST(DecisionPlot, PutsTheFirstFeatureOfTheOrderOnTop) {
  const auto height_of = [](const Picture& picture, const std::string& name) {
    for (const auto& [text, box] : testing::placed_texts(picture)) {
      if (text == name) return box.top;
    }
    return -1.0;
  };
  DecisionPlot chart{.title = "d", .table = two_documents()};
  EXPECT_LT(height_of(draw(chart), "same"), height_of(draw(chart), "apart"));
  chart.order = FeatureOrder::kSpread;
  EXPECT_LT(height_of(draw(chart), "apart"), height_of(draw(chart), "same"));
}

TEST(Beeswarm, HasADotForEveryDocumentAndFeature) {
  const Picture picture = draw(Beeswarm{.title = "b", .table = many_documents(20, 3)});
  expect_sound(picture);
  EXPECT_EQ(count_in(picture.body, "<circle"), 60);
  EXPECT_EQ(count_in(picture.body, std::string(kNoValueColour)), 4);  // missing values of f1
  EXPECT_EQ(picture.body.find("a dot is"), std::string::npos);
}

TEST(Beeswarm, StaysSmallWithManyDocuments) {
  const Picture some = draw(Beeswarm{.title = "b", .table = many_documents(3000, 4)});
  const Picture many = draw(Beeswarm{.title = "b", .table = many_documents(30000, 4)});
  expect_sound(some);
  EXPECT_LT(many.body.size(), 1.5 * static_cast<double>(some.body.size()));
  EXPECT_NE(many.body.find("a dot is up to"), std::string::npos);
}

TEST(QueryHeatMap, HasACellForEveryDocumentAndFeature) {
  const Picture picture = draw(QueryHeatMap{.title = "h", .table = two_documents()});
  expect_sound(picture);
  // 6 cells, 2 grades, 32 steps of the key.
  EXPECT_EQ(count_in(picture.body, "<rect"), 6 + 2 + 32);
  // The largest amount has the full colour; the feature that tells documents apart comes first.
  EXPECT_NE(picture.body.find(signed_colour(1)), std::string::npos);
  EXPECT_LT(picture.body.find(">apart<"), picture.body.find(">same<"));
  expect_sound(draw(QueryHeatMap{.title = "h", .table = many_documents(120, 40)}));
  AttributionTable one = many_documents(1, 1);
  one.attributions = {0};
  expect_sound(draw(QueryHeatMap{.title = "h", .table = one}));
}

TEST(DependencePlot, DrawsPointsAndMissingValuesApart) {
  const DependencePlot chart{.title = "d",
                             .feature = "price",
                             .values = {1, 2, 3, kNaN},
                             .attributions = {0.1, 0.2, -0.3, 0.5},
                             .colour_feature = "sales",
                             .colour_values = {1, 5, kNaN, 2}};
  const Picture picture = draw(chart);
  expect_sound(picture);
  EXPECT_EQ(count_in(picture.body, "<circle"), 4);
  EXPECT_EQ(count_in(picture.body, ">missing<"), 1);
  EXPECT_EQ(count_in(picture.body, std::string(kNoValueColour)), 1);
  EXPECT_NE(picture.body.find("attribution of price"), std::string::npos);
}

TEST(DependencePlot, LeavesOutWhatLiesFarOutsideAndSaysSo) {
  DependencePlot chart{.title = "d", .feature = "x", .values = {}, .attributions = {}};
  for (int i = 0; i < 1000; ++i) {
    chart.values.push_back(i % 10 - 5);
    chart.attributions.push_back(i % 3);
  }
  EXPECT_EQ(draw(chart).body.find("outside"), std::string::npos);
  chart.values[7] = 1e6;
  const Picture picture = draw(chart);
  expect_sound(picture);
  EXPECT_NE(picture.body.find("0.1 % of the documents lie outside"), std::string::npos);
  EXPECT_EQ(count_in(picture.body, "<circle"), 30);  // equal points once
}

TEST(DependencePlot, StaysLinearForAFewTinyValues) {
  DependencePlot chart{.title = "d", .feature = "bm25", .values = {1e-6}, .attributions = {0}};
  for (int i = 0; i < 100; ++i) {
    chart.values.push_back(1 + i % 10);
    chart.attributions.push_back(i % 10);
  }
  EXPECT_NE(draw(chart).body.find(">8<"), std::string::npos);
}

TEST(DependencePlot, HasALogarithmicAxisForWideValues) {
  const Picture picture = draw(DependencePlot{.title = "d",
                                              .feature = "sales",
                                              .values = {0, 10, 100, 1000, 10000},
                                              .attributions = {0, 1, 2, 3, 4}});
  expect_sound(picture);
  EXPECT_EQ(count_in(picture.body, "<circle"), 5);
  EXPECT_EQ(count_in(picture.body, ">0</text>"), 2);  // zeros have a column; 0 is on the y axis
  EXPECT_NE(picture.body.find(">10,000<"), std::string::npos);
  EXPECT_NE(picture.body.find(">10<"), std::string::npos);
}

TEST(ValidityPlot, HasABandForEveryCurveWithErrors) {
  const Picture picture = draw(
      ValidityPlot{.curves = {{.explainer = "greedy",
                               .k = {1, 2, 3},
                               .validity = {0.4, 0.6, 0.7},
                               .standard_errors = {0.02, 0.02, 0.01}},
                              {.explainer = "random", .k = {1, 2, 3}, .validity = {0, 0, 0.1}}}});
  expect_sound(picture);
  EXPECT_EQ(count_in(picture.body, "fill-opacity"), 1);
  EXPECT_EQ(count_in(picture.body, "<polyline"), 2);
  EXPECT_NE(picture.body.find(">greedy<"), std::string::npos);
}

TEST(ValidityPlot, OfAnAuditHasEverySizeOnce) {
  AuditResult audit{.k = 3, .num_queries = 12, .num_without_order = 2};
  audit.methods.push_back({.method = "greedy", .explainer = "greedy"});
  for (const auto& [name, mean] : std::vector<std::pair<std::string, double>>{
           {"validity", 0.7}, {"completeness", 0.1}, {"validity@10", 0.9}, {"validity@1", 0.4}}) {
    audit.methods[0].measures.push_back({.measure = name, .mean = mean, .standard_error = 0.01});
  }
  const ValidityPlot plot = validity_plot(audit);
  EXPECT_NE(plot.title.find("10 queries"), std::string::npos);
  ASSERT_EQ(plot.curves.size(), 1U);
  EXPECT_EQ(plot.curves[0].k, (std::vector<double>{1, 3, 10}));
  EXPECT_EQ(plot.curves[0].validity, (std::vector<double>{0.4, 0.7, 0.9}));
  EXPECT_EQ(plot.curves[0].standard_errors.size(), 3U);
}

// Two documents on ways of 3 and 5 splits, explained by two explainers.
AuditResult small_audit() {
  AuditResult audit{.k = 3, .num_documents = 2};
  for (const char* const method : {"lirme", "exs", "greedy"}) {
    audit.methods.push_back({.method = method, .explainer = method});
  }
  for (const char* const measure : {"validity", "impurity_auc", "impurity_spearman",
                                    "impurity_euclidean", "impurity_auc@3", "impurity_auc@10"}) {
    audit.cases.measures.push_back(
        {.name = measure, .is_of_documents = std::string(measure) != "validity"});
  }
  for (std::uint32_t d = 0; d < 2; ++d) {
    for (std::uint32_t m = 0; m < 2; ++m) {
      const double value = 0.1 * m + 0.4 * d;
      audit.cases.cases.push_back({.query = 0,
                                   .method = m,
                                   .document = d,
                                   .values = {kNaN, 0.5, value, value, value, value + 0.2},
                                   .depth = 3.0 + 2 * d});
    }
  }
  return audit;
}

TEST(AuditPicture, HasABoxPerExplainerAndSizeOrDepth) {
  const Picture auc = audit_picture(small_audit(), {.plot_kind = AuditPlot::kAuc});
  expect_sound(auc);
  EXPECT_NE(auc.body.find("AUC against impurity, 2 documents"), std::string::npos);
  EXPECT_NE(auc.body.find(">10<"), std::string::npos);
  EXPECT_EQ(auc.body.find(">greedy<"), std::string::npos);  // has no boxes
  const AuditPlotParams spearman{.plot_kind = AuditPlot::kDepth, .plot_measure = "spearman"};
  expect_sound(audit_picture(small_audit(), spearman));
  const Picture depth = audit_picture(small_audit(), {.plot_kind = AuditPlot::kDepth});
  EXPECT_NE(depth.body.find(">spearman<"), std::string::npos);
  EXPECT_NE(depth.body.find(">euclidean<"), std::string::npos);
  EXPECT_NE(depth.body.find(">5<"), std::string::npos);
  EXPECT_EQ(depth.body.find(">4<"), std::string::npos);
}

TEST(AuditPicture, SaysWhatIsMissing) {
  AuditResult audit = small_audit();
  const auto message = [&](const AuditPlotParams& params) {
    return message_of([&] { audit_picture(audit, params); });
  };
  EXPECT_EQ(message({.plot_kind = AuditPlot::kAuc, .plot_truth = "frequency"}),
            "the audit has no truth 'frequency' to draw");
  EXPECT_EQ(message({.plot_kind = AuditPlot::kDepth, .plot_measure = "tau"}),
            "there is no measure 'tau' of agreement; auc, spearman, euclidean are");
  audit.cases.measures.resize(4);
  EXPECT_EQ(message({.plot_kind = AuditPlot::kAuc}),
            "a picture of AUC by k needs numbers of features (--sizes)");
  audit.cases.cases.clear();
  EXPECT_EQ(message({.plot_kind = AuditPlot::kDepth}),
            "a picture by depth is of models of trees; this one has no depths");
  audit.cases.measures.resize(1);
  EXPECT_EQ(message({.plot_kind = AuditPlot::kDepth}),
            "this picture shows agreement with a truth, and there is none (--truth)");
}

TEST(SummaryPlot, ShowsFewGroupsAsBarsAndManyAsCells) {
  const auto group = [](const std::string& name, double amount) {
    GroupSummary summary{.name = name, .num_queries = 2, .num_rows = 9, .features = {}};
    for (const char* const feature : {"title", "price", "length"}) {
      summary.features.push_back({.feature = feature, .mean_amount_within = amount});
      amount *= 2;
    }
    return summary;
  };
  AttributionSummary summary{.params = {}, .all = group("all", 1), .groups = {}};
  summary.groups = {group("short", 2), group("long", 0.5)};
  const Picture bars = draw(SummaryPlot{.title = "t", .summary = summary, .most_features = 2});
  expect_sound(bars);
  EXPECT_NE(bars.body.find(">short<"), std::string::npos);
  EXPECT_NE(bars.body.find(">length<"), std::string::npos);
  EXPECT_EQ(bars.body.find(">title<"), std::string::npos);  // the least of the three
  for (int i = 0; i < 30; ++i) summary.groups.push_back(group("q" + std::to_string(i), 1));
  const Picture cells = draw(SummaryPlot{.title = "t", .summary = summary});
  expect_sound(cells);
  EXPECT_NE(cells.body.find("crispEdges"), std::string::npos);
}

TEST(TablePlots, WithoutDocumentsSayNothing) {
  const AttributionTable none;
  for (const Picture& picture :
       {draw(StackedForce{.title = "t", .table = none}),
        draw(DecisionPlot{.title = "t", .table = none}),
        draw(Beeswarm{.title = "t", .table = none}),
        draw(QueryHeatMap{.title = "t", .table = none}),
        draw(DependencePlot{.title = "t", .feature = "f", .values = {}, .attributions = {}})}) {
    expect_sound(picture);
    EXPECT_NE(picture.body.find("nothing to show"), std::string::npos);
  }
}

}  // namespace
}  // namespace glassrank
