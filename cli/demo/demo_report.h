#pragma once
// What the demo found, as text on the terminal, as a page and as JSON.

#include <string>
#include <string_view>
#include <vector>

#include "cli/demo/demo_cleaning.h"
#include "cli/demo/demo_explain.h"
#include "cli/demo/demo_glassbox.h"
#include "glassrank/explain/importance_report.h"
#include "glassrank/explain/importance_table.h"
#include "glassrank/metrics/compare.h"
#include "glassrank/report/html_report.h"

namespace glassrank::cli {

inline constexpr std::string_view kCleanedName = "cleaned";
inline constexpr std::string_view kGlassboxName = "glass box";

struct DemoFindings {
  std::string folder;
  ReportTable parts;                      // of the data
  std::vector<std::string> system_notes;  // what each system of the comparison is
  // Of the plain model, the cleaned one, the glass box and others, in this order.
  Comparison comparison;
  DemoCleaning cleaning;
  DemoGlassbox glassbox;
  DemoExplanations explanations;  // of the first system, on the test part
  Importance importance;          // of the first system, on the test part
  std::string tree;               // its first tree as text
  std::string commands;           // the same by hand
  std::string report_path;        // where the page goes
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

HtmlReport demo_report(const DemoFindings& findings);

}  // namespace glassrank::cli
