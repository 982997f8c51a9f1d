#pragma once
// Pictures of an audit of explainers (the figures of the papers that it comes from):
//   validity  validity against the number of features    Valid Explanations, Figure 2
//   auc       top-k AUC against a truth by k, as boxes    decision paths, Figures 3 and 4
//   depth     agreement with a truth by the depth of a document's path through the trees, as
//             boxes                                       decision paths, Figures 5 to 8
// Boxes are of single documents, validity is over queries. Several truths or measures give several
// charts, one below the other.

#include <string>

#include "glassrank/base/params.h"
#include "glassrank/explain/audit/audit_result.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

enum class AuditPlot { kValidity, kAuc, kDepth };
template <>
struct EnumNames<AuditPlot> {
  static std::span<const std::pair<std::string_view, AuditPlot>> table();
};

struct AuditPlotParams {
  AuditPlot plot_kind = AuditPlot::kValidity;
  std::string plot_truth;    // empty: all
  std::string plot_measure;  // empty: all

  void visit(ParamVisitor& visitor);
};

// Before the work. Throws Error{kUsage} when an audit of these measures has nothing of what is to
// be drawn: no such truth or measure, no sizes, no depths.
void check_audit_plot(const AuditPlotParams& params, std::span<const Measure> measures,
                      bool has_depths);

Picture audit_picture(const AuditResult& audit, const AuditPlotParams& params);

}  // namespace glassrank
