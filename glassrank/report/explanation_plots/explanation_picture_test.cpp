// From explanations to pictures: the right one, with names, values and units.

#include "glassrank/report/explanation_plots/explanation_picture.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/report/explanation_plots/partner.h"
#include "testing/explanation_fixture.h"
#include "testing/message_of.h"
#include "testing/picture_checks.h"

namespace glassrank {
namespace {

using testing::count_in;
using testing::ExampleQuery;
using testing::expect_sound;

TEST(SuitablePlot, GoesByTheTarget) {
  EXPECT_EQ(suitable_plot(PlotKind::kAuto, TargetKind::kDocument, 1, true), PlotKind::kWaterfall);
  EXPECT_EQ(suitable_plot(PlotKind::kAuto, TargetKind::kPair, 1, true), PlotKind::kBar);
  EXPECT_EQ(suitable_plot(PlotKind::kAuto, TargetKind::kRanking, 1, true), PlotKind::kHeatMap);
  EXPECT_EQ(suitable_plot(PlotKind::kAuto, TargetKind::kRanking, 1, false), PlotKind::kBar);
  EXPECT_EQ(suitable_plot(PlotKind::kAuto, TargetKind::kRanking, 2, true), PlotKind::kBeeswarm);
  EXPECT_EQ(suitable_plot(PlotKind::kForce, TargetKind::kPair, 2, true), PlotKind::kForce);
  for (const auto& [name, kind] : EnumNames<PlotKind>::table()) EXPECT_EQ(name_of(kind), name);
}

TEST(ExplanationPicture, OfADocumentNamesValuesAndScore) {
  const ExampleQuery query;
  const ExplanationView view = query.view(ExampleQuery::of_document());
  for (const PlotKind kind : {PlotKind::kWaterfall, PlotKind::kForce, PlotKind::kBar}) {
    const Picture picture = explanation_picture(view, {.plot_kind = kind});
    expect_sound(picture);
    EXPECT_NE(picture.title.find("Why is river at rank 1?"), std::string::npos);
    EXPECT_NE(picture.body.find("price"), std::string::npos);
  }
  const Picture waterfall = explanation_picture(view, {.plot_kind = PlotKind::kWaterfall});
  EXPECT_NE(waterfall.body.find(">price = 5.49<"), std::string::npos);
  EXPECT_NE(waterfall.body.find(">feature 4 = missing<"), std::string::npos);
}

TEST(ExplanationPicture, OfAPairShowsBothValues) {
  const ExampleQuery query;
  const ExplanationView view = query.view(ExampleQuery::of_pair());
  const Picture bars = explanation_picture(view, {.plot_kind = PlotKind::kBar});
  expect_sound(bars);
  EXPECT_EQ(bars.title, "Why is river above sea?");
  EXPECT_EQ(count_in(bars.body, ">12.00<"), 1);
  EXPECT_EQ(count_in(bars.body, ">off<"), 1);
  EXPECT_NE(bars.body.find("part of the difference of +1.60"), std::string::npos);
  const Picture waterfall = explanation_picture(view, {.plot_kind = PlotKind::kWaterfall});
  EXPECT_NE(waterfall.body.find("bm25_title = 7.1 / 2.0"), std::string::npos);
}

// Of features chosen one by one: how well the order is kept after each.
TEST(ExplanationPicture, OfAFeatureSetShowsTheStepsInTheirOrder) {
  const ExampleQuery query;
  Explanation greedy = ExampleQuery::of_ranking();
  greedy.value = 0.9;
  greedy.base_value = 0.1;
  greedy.features = {3, 0};
  greedy.gains = {0.3, 0.5};
  const ExplanationView view = query.view(greedy);
  EXPECT_TRUE(has_steps(view));
  EXPECT_FALSE(has_steps(query.view(ExampleQuery::of_document())));
  const Picture waterfall = explanation_picture(view, {.plot_kind = PlotKind::kWaterfall});
  expect_sound(waterfall);
  const std::string& body = waterfall.body;
  EXPECT_NE(body.find(">order kept<"), std::string::npos);
  EXPECT_NE(body.find(">+0.300<"), std::string::npos) << body;
  EXPECT_NE(body.find(">+0.500<"), std::string::npos);
  EXPECT_NE(body.find(">0.900<"), std::string::npos);
  EXPECT_LT(body.find("feature 4"), body.find("bm25_title"));
  for (const PlotKind kind : {PlotKind::kBar, PlotKind::kForce}) {
    expect_sound(explanation_picture(view, {.plot_kind = kind}));
  }
}

TEST(ExplanationPicture, NeedsAttributions) {
  const ExampleQuery query;
  EXPECT_EQ(message_of([&] {
              explanation_picture(query.view(ExampleQuery::of_ranking()),
                                  {.plot_kind = PlotKind::kBar});
            }),
            "greedy names features without saying how much each adds: there is nothing to draw; "
            "greedy-cover-eps says how much better each keeps the order");
}

AttributionTable table_of_query() {
  const ExampleQuery query;
  std::vector<Explanation> documents(3, ExampleQuery::of_document());
  documents[1].target = Target::of_document(1);
  documents[2].target = Target::of_document(2);
  documents[2].base_value = 0.81;
  AttributionTable table;
  add_documents(table, documents, query.query(), query.names());
  return table;
}

TEST(AddDocuments, JoinsAttributionsWithValues) {
  const AttributionTable table = table_of_query();
  EXPECT_EQ(table.documents, (std::vector<std::string>{"river", "sea", "hill"}));
  EXPECT_EQ(table.attribution(1, 0), 1.3);
  EXPECT_EQ(table.value(1, 1), 12);
  EXPECT_TRUE(std::isnan(table.value(0, 3)));
  EXPECT_EQ(table.grades, (std::vector<double>{3, 0, 1}));
  EXPECT_DOUBLE_EQ(table.base_value, 0.61);  // mean of 0.51, 0.51 and 0.81
}

TEST(DocumentsPicture, DrawsEveryKind) {
  const AttributionTable table = table_of_query();
  for (const auto& [name, kind] : EnumNames<PlotKind>::table()) {
    if (!draws_documents(kind)) continue;
    const Picture picture = documents_picture(table, {.plot_kind = kind}, "query q7");
    expect_sound(picture);
    EXPECT_NE(picture.title.find("query q7"), std::string::npos) << name;
  }
}

TEST(DocumentsPicture, NamesTheNearestFeature) {
  EXPECT_EQ(message_of([&] {
              documents_picture(table_of_query(),
                                {.plot_kind = PlotKind::kDependence, .plot_feature = "prize"}, "t");
            }),
            "unknown feature 'prize'; did you mean 'price'?");
}

// What the first feature adds depends on the third feature, not on the second.
TEST(LikelyPartner, IsTheFeatureThatGoesAlong) {
  AttributionTable table{.features = {"a", "b", "c"}};
  for (std::size_t d = 0; d < 200; ++d) {
    const auto x = static_cast<double>(d / 20);
    const double b = static_cast<double>((d * 7) % 13);
    const double c = static_cast<double>((d * 11) % 5);
    table.documents.push_back(fmt::format("d{}", d));
    table.values.insert(table.values.end(), {x, b, c});
    table.attributions.insert(table.attributions.end(), {x * c, b, c});
  }
  EXPECT_EQ(likely_partner(table, 0), 2);
}

TEST(LikelyPartner, IsNobodyAmongFewDocuments) {
  EXPECT_FALSE(likely_partner(table_of_query(), 0));
}

}  // namespace
}  // namespace glassrank
