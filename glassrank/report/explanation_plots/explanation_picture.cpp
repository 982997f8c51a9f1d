#include "glassrank/report/explanation_plots/explanation_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/explain/explanation_words.h"
#include "glassrank/report/explanation_plots/beeswarm.h"
#include "glassrank/report/explanation_plots/decision_plot.h"
#include "glassrank/report/explanation_plots/dependence_plot.h"
#include "glassrank/report/explanation_plots/force_plot.h"
#include "glassrank/report/explanation_plots/part_bars.h"
#include "glassrank/report/explanation_plots/partner.h"
#include "glassrank/report/explanation_plots/query_heat_map.h"
#include "glassrank/report/explanation_plots/stacked_force.h"
#include "glassrank/report/explanation_plots/waterfall.h"
#include "glassrank/report/plots/bar_chart.h"

namespace glassrank {
namespace {

std::string value_name(const ExplanationView& view) {
  if (has_steps(view)) return "order kept";
  if (view.target == TargetKind::kPair) return "difference";
  return explains_scores(view) ? "score" : fmt::format("value of {}", view.explainer);
}

std::string title_of(const ExplanationView& view) {
  switch (view.target) {
    case TargetKind::kDocument:
      return fmt::format("Why is {} at rank {}?", view.documents[0].document,
                         view.documents[0].rank);
    case TargetKind::kPair:
      return fmt::format("Why is {} {} {}?", view.documents[0].document,
                         view.documents[0].rank < view.documents[1].rank ? "above" : "below",
                         view.documents[1].document);
    case TargetKind::kRanking:
      break;
  }
  return fmt::format("Why this order of query {}?", view.query);
}

Picture bars_of(const ExplanationView& view, const PlotParams& params) {
  PartBars bars{.title = title_of(view),
                .x_label = fmt::format("part of the {}", value_name(view)),
                .parts = parts_of(view),
                .most_parts = static_cast<std::size_t>(params.plot_features)};
  const double whole = view.value - view.base_value;
  bars.x_label += fmt::format(" of {}", amounts_of(view).with_sign(whole));
  if (view.target != TargetKind::kPair) {
    bars.value_columns = {view.target == TargetKind::kRanking ? "values" : "value"};
    return draw(bars);
  }
  bars.value_columns = {"A", "B"};
  bars.column_details = {fmt::format("rank {}", view.documents[0].rank),
                         fmt::format("rank {}", view.documents[1].rank)};
  bars.left_note = "for B";
  bars.right_note = "for A";
  return draw(bars);
}

Picture importance_bars(const AttributionTable& table, const PlotParams& params,
                        const std::string& title) {
  const std::vector<double> weights = feature_weights(table, params.plot_order);
  BarChart chart{
      .title = title,
      .x_label = params.plot_order == FeatureOrder::kSpread
                     ? "how far the feature tells documents of a query apart (standard deviation)"
                     : "mean amount the feature adds to or takes from a score",
      .series = {"all"},
      .groups = {}};
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, weight);
  const Amounts amounts(largest);
  for (const std::size_t f : ordered_features(table, params.plot_order)) {
    if (chart.groups.size() == static_cast<std::size_t>(params.plot_features)) break;
    chart.groups.push_back({.label = table.features[f],
                            .bars = {{.value = weights[f], .text = amounts.plain(weights[f])}}});
  }
  return draw(chart);
}

std::size_t feature_named(const AttributionTable& table, const std::string& name) {
  if (name.empty()) return ordered_features(table, FeatureOrder::kImportance).front();
  const auto found = std::ranges::find(table.features, name);
  if (found == table.features.end()) {
    throw Error(ErrorKind::kUsage, unknown_name_message("feature", name, table.features));
  }
  return static_cast<std::size_t>(found - table.features.begin());
}

Picture dependence_picture(const AttributionTable& table, const std::string& feature,
                           const std::string& title) {
  const std::size_t f = feature_named(table, feature);
  DependencePlot chart{.title = fmt::format("{}: {}", table.features[f], title),
                       .feature = table.features[f],
                       .values = column_of(table, table.values, f),
                       .attributions = column_of(table, table.attributions, f)};
  if (const std::optional<std::size_t> partner = likely_partner(table, f)) {
    chart.colour_feature = table.features[*partner];
    chart.colour_values = column_of(table, table.values, *partner);
  }
  return draw(chart);
}

}  // namespace

std::span<const std::pair<std::string_view, PlotKind>> EnumNames<PlotKind>::table() {
  static constexpr std::array<std::pair<std::string_view, PlotKind>, 10> kNames = {
      {{"auto", PlotKind::kAuto},
       {"waterfall", PlotKind::kWaterfall},
       {"force", PlotKind::kForce},
       {"bar", PlotKind::kBar},
       {"decision", PlotKind::kDecision},
       {"stacked-force", PlotKind::kStackedForce},
       {"heat-map", PlotKind::kHeatMap},
       {"beeswarm", PlotKind::kBeeswarm},
       {"importance", PlotKind::kImportance},
       {"dependence", PlotKind::kDependence}}};
  return kNames;
}

std::string_view name_of(PlotKind kind) {
  for (const auto& [name, value] : EnumNames<PlotKind>::table()) {
    if (value == kind) return name;
  }
  return {};
}

bool draws_documents(PlotKind kind) { return kind >= PlotKind::kDecision; }
bool draws_queries(PlotKind kind) { return kind >= PlotKind::kBeeswarm; }

void PlotParams::visit(ParamVisitor& visitor) {
  visitor.field("plot_kind", plot_kind,
                "kind of picture: waterfall, force or bar for one explanation; decision, "
                "stacked-force or heat-map for the documents of a query; beeswarm, importance or "
                "dependence for all documents");
  visitor.field(
      "plot_order", plot_order,
      "order of features in pictures of documents: by how well they tell documents of a query "
      "apart (spread), by the mean amount they add (importance), or as in the model (given)");
  visitor.field("plot_feature", plot_feature,
                "feature of a dependence picture; empty is the most important one",
                {.value_name = "NAME"});
  visitor.field("plot_features", plot_features, "number of features with a row of their own",
                Range{.low = 1, .high = 500});
}

PlotKind suitable_plot(PlotKind kind, TargetKind target, std::size_t num_queries,
                       bool has_documents) {
  if (kind != PlotKind::kAuto) return kind;
  if (num_queries > 1 && has_documents) return PlotKind::kBeeswarm;
  switch (target) {
    case TargetKind::kDocument:
      return PlotKind::kWaterfall;
    case TargetKind::kPair:
      return PlotKind::kBar;
    case TargetKind::kRanking:
      break;
  }
  return has_documents ? PlotKind::kHeatMap : PlotKind::kBar;
}

bool has_steps(const ExplanationView& view) {
  return !view.features.empty() && view.features.front().gain && !view.features.front().attribution;
}

std::vector<Part> parts_of(const ExplanationView& view) {
  std::vector<Part> parts;
  for (const ViewedFeature& feature : view.features) {
    Part part{.label = feature_label(feature),
              .value = feature.other_value ? value_texts(feature).first : values_text(feature),
              .amount = feature.attribution.value_or(feature.gain.value_or(0))};
    if (feature.other_value) part.other_value = value_texts(feature).second;
    if (feature.standard_error) part.error = *feature.standard_error;
    parts.push_back(std::move(part));
  }
  return parts;
}

Picture explanation_picture(const ExplanationView& view, const PlotParams& params) {
  if (!view.features.empty() && !view.features.front().attribution && !has_steps(view)) {
    fail(ErrorKind::kUsage,
         "{} names features without saying how much each adds: there is nothing to draw; "
         "greedy-cover-eps says how much better each keeps the order",
         view.explainer);
  }
  std::vector<Part> parts = parts_of(view);
  // The two values of a pair in one label.
  for (Part& part : parts) {
    if (!part.other_value.empty()) part.value += fmt::format(" / {}", part.other_value);
  }
  const auto most_parts = static_cast<std::size_t>(params.plot_features);
  if (params.plot_kind == PlotKind::kWaterfall) {
    return draw(Waterfall{.title = title_of(view),
                          .value_name = value_name(view),
                          .base_value = view.base_value,
                          .parts = std::move(parts),
                          .most_parts = most_parts});
  }
  if (params.plot_kind == PlotKind::kForce) {
    return draw(ForcePlot{.title = title_of(view),
                          .value_name = value_name(view),
                          .base_value = view.base_value,
                          .parts = std::move(parts),
                          .most_parts = most_parts});
  }
  return bars_of(view, params);
}

void add_documents(AttributionTable& table, std::span<const Explanation> explanations,
                   const ExplainedQuery& query, const ExplanationNames& names) {
  if (table.features.empty()) table.features = names.features;
  for (const Explanation& explanation : explanations) {
    const std::uint32_t d = explanation.target.document;
    table.documents.push_back(names.documents[d]);
    table.attributions.insert(table.attributions.end(), explanation.attributions.begin(),
                              explanation.attributions.end());
    const std::span<const float> row = query.rows.row(d).first(table.num_features());
    table.values.insert(table.values.end(), row.begin(), row.end());
    table.scores.push_back(explanation.value);
    table.queries.push_back(static_cast<std::uint32_t>(query.number));
    if (!query.grades.empty()) table.grades.push_back(query.grades[d]);
    // The mean, where explanations differ in it (surrogates do).
    table.base_value +=
        (explanation.base_value - table.base_value) / static_cast<double>(table.num_documents());
  }
}

Picture documents_picture(const AttributionTable& table, const PlotParams& params,
                          const std::string& title) {
  const auto most = static_cast<std::size_t>(params.plot_features);
  switch (params.plot_kind) {
    case PlotKind::kDecision:
      return draw(DecisionPlot{
          .title = title, .table = table, .order = params.plot_order, .most_features = most});
    case PlotKind::kStackedForce:
      return draw(StackedForce{
          .title = title, .table = table, .order = params.plot_order, .most_features = most});
    case PlotKind::kBeeswarm:
      return draw(Beeswarm{
          .title = title, .table = table, .order = params.plot_order, .most_features = most});
    case PlotKind::kImportance:
      return importance_bars(table, params, title);
    case PlotKind::kDependence:
      return dependence_picture(table, params.plot_feature, title);
    default:
      break;
  }
  return draw(QueryHeatMap{
      .title = title, .table = table, .order = params.plot_order, .most_features = most});
}

}  // namespace glassrank
