#include "glassrank/explain/audit/audit_report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/fixed_text.h"
#include "glassrank/base/table.h"

namespace glassrank {
namespace {

// A measure and what its column is called.
using Columns = std::vector<std::pair<std::string, std::string>>;

std::string shown(const MeasureMean& mean, double alpha) {
  std::string mark;
  if (mean.is_clearly_best) mark = " *";
  if (mean.p_best && *mean.p_best > alpha) mark = " =";
  if (mean.is_best && !mean.is_clearly_best) mark = " =";
  return fmt::format("{} ±{:.3f}{}", fixed_text(mean.mean, 3), mean.standard_error, mark);
}

// Methods by measures; columns and rows without any value are left out.
std::string table_of(const AuditResult& result, const Columns& wanted, const std::string& title) {
  Columns columns;
  for (const auto& column : wanted) {
    const bool is_there = std::ranges::any_of(
        result.methods, [&](const AuditedMethod& m) { return m.find(column.first) != nullptr; });
    if (is_there) columns.push_back(column);
  }
  if (columns.empty()) return {};
  std::vector<Column> heads = {{"method"}};
  for (const auto& [measure, head] : columns) heads.push_back({head});
  Table table(std::move(heads));
  for (const AuditedMethod& method : result.methods) {
    std::vector<Cell> row = {cell(method.method)};
    bool has_any = false;
    for (const auto& [measure, head] : columns) {
      const MeasureMean* mean = method.find(measure);
      has_any = has_any || mean != nullptr;
      row.push_back(mean != nullptr ? cell(shown(*mean, result.alpha)) : Cell());
    }
    if (has_any) table.add(std::move(row));
  }
  return fmt::format("\n{}\n{}", title, table_text(table));
}

Columns named(std::initializer_list<std::pair<std::string, std::string>> columns) {
  return columns;
}

std::vector<std::string> truths_of(const AuditResult& result) {
  std::vector<std::string> truths;
  for (const Measure& measure : result.cases.measures) {
    constexpr std::string_view kLast = "_spearman";
    if (measure.is_of_documents && measure.name.ends_with(kLast)) {
      truths.push_back(measure.name.substr(0, measure.name.size() - kLast.size()));
    }
  }
  return truths;
}

// The measures "validity@3", "validity@5", ...
Columns at_sizes(const AuditResult& result, const std::string& measure) {
  Columns columns;
  for (const Measure& candidate : result.cases.measures) {
    if (!candidate.name.starts_with(measure + "@")) continue;
    columns.emplace_back(candidate.name,
                         fmt::format("k = {}", candidate.name.substr(measure.size() + 1)));
  }
  return columns;
}

std::string depth_table(const AuditResult& result, const std::vector<std::string>& truths) {
  Table table({{"method"},
               {"truth"},
               {"auc", Notation::kFixed, 3},
               {"spearman", Notation::kFixed, 3},
               {"euclidean", Notation::kFixed, 3}});
  for (const AuditedMethod& method : result.methods) {
    for (const std::string& truth : truths) {
      std::vector<Cell> row = {cell(method.method), cell(truth)};
      bool has_any = false;
      for (const std::string_view kind : kTruthMeasures) {
        const auto found = std::ranges::find_if(result.depths, [&](const MethodDepths& depths) {
          return depths.method == method.method &&
                 depths.measure == fmt::format("{}_{}", truth, kind);
        });
        const bool is_there = found != result.depths.end() && found->depths.correlation;
        has_any = has_any || is_there;
        row.push_back(is_there ? cell(*found->depths.correlation) : Cell());
      }
      if (has_any) table.add(std::move(row));
    }
  }
  if (table.rows().empty()) return {};
  return fmt::format("\ncorrelation of agreement with the depth of a document's path\n{}",
                     table_text(table));
}

std::string undefined_notes(const AuditResult& result) {
  std::string text;
  for (const AuditedMethod& method : result.methods) {
    for (const MeasureMean& mean : method.measures) {
      if (mean.num_undefined == 0) continue;
      text += fmt::format("{}: {} has no value for {} answers\n", method.method, mean.measure,
                          mean.num_undefined);
    }
    if (method.num_abstained > 0) {
      text += fmt::format("{}: abstains from {} of {} rankings\n", method.method,
                          method.num_abstained, result.num_queries - result.num_without_order);
    }
  }
  return text;
}

std::string head_of(const AuditResult& result) {
  std::string text =
      fmt::format("{} queries, {} named in each answer; means over queries ± standard errors\n",
                  result.num_queries,
                  result.k == 1 ? std::string("1 feature") : fmt::format("{} features", result.k));
  if (result.num_without_order > 0) {
    text += fmt::format(
        "{} of them have one document or equal scores: their rankings are not explained\n",
        result.num_without_order);
  }
  return text;
}

}  // namespace

std::string audit_text(const AuditResult& result) {
  std::string text = head_of(result);
  text += table_of(result,
                   named({{"validity", "validity"},
                          {"completeness", "completeness (low)"},
                          {"preservation", "preservation"},
                          {"deletion", "deletion (low)"}}),
                   "the ranking with only, and without, the named features");
  text += table_of(result,
                   named({{"stability", "stability"},
                          {"additivity_residual", "additivity residual (low)"},
                          {"error_share", "error share (low)"},
                          {"fit", "fit"},
                          {"reliability", "reliability"}}),
                   "the explanations themselves");
  const std::vector<std::string> truths = truths_of(result);
  for (const std::string& truth : truths) {
    Columns columns;
    for (const std::string_view kind : kTruthMeasures) {
      columns.emplace_back(fmt::format("{}_{}", truth, kind), kind);
    }
    text += table_of(result, columns,
                     fmt::format("{} documents against {}", result.num_documents, truth));
  }
  text += table_of(result, at_sizes(result, "validity"), "validity by the number of features");
  for (const std::string& truth : truths) {
    text += table_of(result, at_sizes(result, truth + "_auc"),
                     fmt::format("top-k AUC against {} by the number of features", truth));
  }
  text += depth_table(result, truths);
  text += '\n';
  if (!result.differences.empty()) {
    text += fmt::format(
        "* best, different from every other ({}, {}, p <= {:g}); = best, or not different from "
        "it\n",
        result.test, result.correction, result.alpha);
  }
  return text + undefined_notes(result);
}

}  // namespace glassrank
