#pragma once
// What the demo found, as text on the terminal and as JSON. The page is the report's own.

#include <string>
#include <string_view>
#include <vector>

#include "glassrank/explain/importance_report.h"
#include "glassrank/explain/importance_table.h"
#include "glassrank/metrics/compare.h"
#include "glassrank/report/demo/demo_cleaning.h"
#include "glassrank/report/demo/demo_explain.h"
#include "glassrank/report/demo/demo_glassbox.h"
#include "glassrank/report/demo/demo_table.h"

namespace glassrank {

inline constexpr std::string_view kCleanedName = "cleaned";
inline constexpr std::string_view kGlassboxName = "glass box";
inline constexpr int kDemoAuditQueries = 10;

struct DemoFindings {
  std::string folder;
  DemoTable parts;                        // of the data
  std::vector<std::string> system_notes;  // what each system of the comparison is
  // Of the plain model, the cleaned one, the glass box and others, in this order.
  Comparison comparison;
  DemoCleaning cleaning;
  DemoGlassbox glassbox;
  DemoExplanations explanations;  // of the first system, on the test part
  Importance importance;          // of the first system, on the test part
  std::string audit;              // tables of explainers side by side
  std::string report_path;        // where the page is
};

std::string demo_text(const DemoFindings& findings);

// What --json prints.
struct DemoCleaningCounts {
  std::size_t num_dropped = 0;
  std::size_t num_wrong = 0;
  std::size_t num_mistakes = 0;

  void visit(ResultVisitor& visitor) const;
};
struct DemoGlassboxCounts {
  std::size_t num_curves = 0;
  std::size_t num_surfaces = 0;

  void visit(ResultVisitor& visitor) const;
};
struct DemoResult {
  std::string out;
  std::string report;
  DemoCleaningCounts cleaning;
  DemoGlassboxCounts glassbox;
  Comparison comparison;
  ImportanceReport importance;

  void visit(ResultVisitor& visitor) const;
};
DemoResult demo_result(const DemoFindings& findings);

}  // namespace glassrank
