#pragma once
// Explanations as pictures: which picture shows which explanation, with its title, labels and
// units.
//
//   one explanation          waterfall, force, bar (of a pair: both values side by side)
//   the documents of a query decision, stacked-force, heat-map
//   documents of any queries beeswarm, importance, dependence

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "glassrank/base/params.h"
#include "glassrank/explain/explanation_view.h"
#include "glassrank/report/explanation_plots/attribution_table.h"
#include "glassrank/report/explanation_plots/parts.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

enum class PlotKind {
  kAuto,
  kWaterfall,
  kForce,
  kBar,
  kDecision,
  kStackedForce,
  kHeatMap,
  kBeeswarm,
  kImportance,
  kDependence
};
template <>
struct EnumNames<PlotKind> {
  static std::span<const std::pair<std::string_view, PlotKind>> table();
};
std::string_view name_of(PlotKind kind);

// Whether it draws documents, not one explanation; and whether of more than one query.
bool draws_documents(PlotKind kind);
bool draws_queries(PlotKind kind);

struct PlotParams {
  PlotKind plot_kind = PlotKind::kAuto;
  FeatureOrder plot_order = FeatureOrder::kSpread;
  std::string plot_feature;  // of a dependence plot; empty: the most important
  int plot_features = 16;    // that have a row or column of their own

  void visit(ParamVisitor& visitor);
};

// kAuto becomes what suits the target. `has_documents`: the explainer has attributions of
// documents.
PlotKind suitable_plot(PlotKind kind, TargetKind target, std::size_t num_queries,
                       bool has_documents);

// Whether its features were chosen one by one (greedy), and their gains are what there is to draw:
// how much better the order is kept with each of them. Best as a waterfall.
bool has_steps(const ExplanationView& view);

// The features of a view, with their values as text.
std::vector<Part> parts_of(const ExplanationView& view);

// A kind that draws one explanation. Throws Error{kUsage} for one without attributions and gains.
Picture explanation_picture(const ExplanationView& view, const PlotParams& params);

// Adds the documents of a query, in the order of the explanations: all of them of documents, with
// attributions.
void add_documents(AttributionTable& table, std::span<const Explanation> explanations,
                   const ExplainedQuery& query, const ExplanationNames& names);

// A kind that draws documents. `title` says of what. Throws Error{kUsage} for an unknown feature.
Picture documents_picture(const AttributionTable& table, const PlotParams& params,
                          const std::string& title);

}  // namespace glassrank
