#include "glassrank/report/explanation_plots/audit_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/explain/audit/box_summary.h"
#include "glassrank/report/explanation_plots/validity_plot.h"
#include "glassrank/report/plots/box_chart.h"

namespace glassrank {
namespace {

std::optional<BoxValue> box_of(std::span<const double> values) {
  const BoxSummary box = box_summary(values);
  if (box.count == 0) return std::nullopt;
  return BoxValue{.least = box.least,
                  .lower_quartile = box.lower_quartile,
                  .median = box.median,
                  .upper_quartile = box.upper_quartile,
                  .largest = box.largest};
}

// The truths of the measures "TRUTH_spearman", or the one that is asked for.
std::vector<std::string> truths_of(std::span<const Measure> measures, const std::string& wanted) {
  std::vector<std::string> truths;
  for (const Measure& measure : measures) {
    const std::size_t at = measure.name.find("_spearman");
    if (!measure.is_of_documents || at == std::string::npos) continue;
    const std::string truth = measure.name.substr(0, at);
    if (wanted.empty() || truth == wanted) truths.push_back(truth);
  }
  if (!truths.empty()) return truths;
  if (!wanted.empty()) fail(ErrorKind::kUsage, "the audit has no truth '{}' to draw", wanted);
  fail(ErrorKind::kUsage, "this picture shows agreement with a truth, and there is none (--truth)");
}

BoxChart empty_chart(const AuditResult& audit) {
  BoxChart chart;
  for (const AuditedMethod& method : audit.methods) chart.series.push_back(method.method);
  return chart;
}

// Explainers without any value in the picture are left out.
BoxChart without_empty(BoxChart chart) {
  for (std::size_t s = chart.series.size(); s-- > 0;) {
    const bool is_empty = std::ranges::none_of(
        chart.groups, [&](const BoxGroup& g) { return g.boxes[s].has_value(); });
    if (!is_empty) continue;
    const auto at = static_cast<std::ptrdiff_t>(s);
    chart.series.erase(chart.series.begin() + at);
    for (BoxGroup& group : chart.groups) group.boxes.erase(group.boxes.begin() + at);
  }
  return chart;
}

// A box per explainer of measure number `measure` over the documents that `takes`.
BoxGroup group_of(const AuditResult& audit, std::size_t measure, std::string label,
                  const std::function<bool(const AuditCase&)>& takes) {
  std::vector<std::vector<double>> values(audit.methods.size());
  for (const AuditCase& each : audit.cases.cases) {
    if (each.document && takes(each)) values[each.method].push_back(each.values[measure]);
  }
  BoxGroup group{.label = std::move(label), .boxes = {}};
  for (const auto& of_method : values) group.boxes.push_back(box_of(of_method));
  return group;
}

BoxChart auc_chart(const AuditResult& audit, const std::string& truth) {
  BoxChart chart = empty_chart(audit);
  chart.title = fmt::format("Top-k AUC against {}, {} documents", truth, audit.num_documents);
  chart.x_label = "k";
  chart.y_label = "AUC";
  const std::string start = truth + "_auc@";
  for (std::size_t m = 0; m < audit.cases.measures.size(); ++m) {
    const std::string& name = audit.cases.measures[m].name;
    if (!name.starts_with(start)) continue;
    chart.groups.push_back(
        group_of(audit, m, name.substr(start.size()), [](const AuditCase&) { return true; }));
  }
  return chart;
}

BoxChart depth_chart(const AuditResult& audit, const std::string& truth, std::string_view measure) {
  const std::string name = fmt::format("{}_{}", truth, measure);
  const auto& measures = audit.cases.measures;
  const auto found = std::ranges::find(measures, name, &Measure::name);
  BoxChart chart = empty_chart(audit);
  chart.title = fmt::format("Agreement with {} by depth, {} documents", truth, audit.num_documents);
  chart.x_label = "splits on a document's way, mean over the trees";
  chart.y_label = measure;
  std::map<long, bool> depths;
  for (const AuditCase& each : audit.cases.cases) {
    if (each.document && std::isfinite(each.depth)) depths[std::lround(each.depth)] = true;
  }
  for (const auto& [depth, is_there] : depths) {
    chart.groups.push_back(group_of(audit, static_cast<std::size_t>(found - measures.begin()),
                                    fmt::format("{}", depth), [depth](const AuditCase& each) {
                                      return std::isfinite(each.depth) &&
                                             std::lround(each.depth) == depth;
                                    }));
  }
  return chart;
}

}  // namespace

std::span<const std::pair<std::string_view, AuditPlot>> EnumNames<AuditPlot>::table() {
  static constexpr std::array<std::pair<std::string_view, AuditPlot>, 3> kNames = {
      {{"validity", AuditPlot::kValidity}, {"auc", AuditPlot::kAuc}, {"depth", AuditPlot::kDepth}}};
  return kNames;
}

void AuditPlotParams::visit(ParamVisitor& visitor) {
  visitor.field("plot_kind", plot_kind,
                "what the picture shows: validity by the number of features, top-k AUC against a "
                "truth by k, or agreement with a truth by the depth of a document's path");
  visitor.field("plot_truth", plot_truth,
                "truth that auc and depth show; empty shows each of --truth",
                ParamStyle{.value_name = "TRUTH"});
  visitor.field("plot_measure", plot_measure,
                "measure that depth shows: auc, spearman or euclidean; empty shows each",
                ParamStyle{.value_name = "MEASURE"});
}

void check_audit_plot(const AuditPlotParams& params, std::span<const Measure> measures,
                      bool has_depths) {
  if (params.plot_kind == AuditPlot::kValidity) return;
  const std::string truth = truths_of(measures, params.plot_truth).front();
  const auto has = [&](const std::string& start) {
    return std::ranges::any_of(measures,
                               [&](const Measure& m) { return m.name.starts_with(start); });
  };
  if (params.plot_kind == AuditPlot::kAuc && !has(truth + "_auc@")) {
    fail(ErrorKind::kUsage, "a picture of AUC by k needs numbers of features (--sizes)");
  }
  if (params.plot_kind == AuditPlot::kAuc) return;
  if (!has_depths) {
    fail(ErrorKind::kUsage, "a picture by depth is of models of trees; this one has no depths");
  }
  const bool is_known =
      params.plot_measure.empty() ||
      std::ranges::find(kTruthMeasures, params.plot_measure) != std::ranges::end(kTruthMeasures);
  if (!is_known) {
    fail(ErrorKind::kUsage, "there is no measure '{}' of agreement; auc, spearman, euclidean are",
         params.plot_measure);
  }
}

Picture audit_picture(const AuditResult& audit, const AuditPlotParams& params) {
  const bool has_depths = std::ranges::any_of(
      audit.cases.cases, [](const AuditCase& each) { return std::isfinite(each.depth); });
  check_audit_plot(params, audit.cases.measures, has_depths);
  if (params.plot_kind == AuditPlot::kValidity) return draw(validity_plot(audit));
  std::vector<Picture> pictures;
  for (const std::string& truth : truths_of(audit.cases.measures, params.plot_truth)) {
    if (params.plot_kind == AuditPlot::kAuc) {
      pictures.push_back(draw(without_empty(auc_chart(audit, truth))));
      continue;
    }
    for (const std::string_view measure : kTruthMeasures) {
      if (!params.plot_measure.empty() && params.plot_measure != measure) continue;
      pictures.push_back(draw(without_empty(depth_chart(audit, truth, measure))));
    }
  }
  return stacked(pictures);
}

}  // namespace glassrank
