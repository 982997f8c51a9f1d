#include "glassrank/report/demo/demo_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/text_columns.h"
#include "glassrank/metrics/compare_report.h"
#include "glassrank/models/gam/effect_importance.h"

namespace glassrank {
namespace {

constexpr std::size_t kNumFeatures = 10;
// Of the comparison.
constexpr std::size_t kCleanedSystem = 1;
constexpr std::size_t kGlassboxSystem = 2;

std::string aligned(const DemoTable& table) {
  TextColumns columns;
  columns.add(table.header);
  for (const auto& row : table.rows) columns.add(row);
  return columns.text();
}

std::string systems_text(const DemoFindings& findings) {
  TextColumns columns;
  for (std::size_t s = 0; s < findings.system_notes.size(); ++s) {
    columns.add({findings.comparison.systems[s], findings.system_notes[s]});
  }
  return columns.text();
}

// By how much another system differs from the first: "+0.0073 (95 % interval ..., p = 0.1)".
std::string difference_text(const Comparison& comparison, std::size_t system) {
  const PairComparison* pair = comparison.metrics.front().find(0, system);
  const double sign = pair->a == system ? 1 : -1;
  const double ends[] = {sign * pair->interval.low, sign * pair->interval.high};
  return fmt::format("{:+.4f} ({:.0f} % interval {:+.4f} .. {:+.4f}, Fisher's test p = {:.2g})",
                     sign * pair->mean_difference, 100 * (1 - comparison.params.alpha),
                     std::min(ends[0], ends[1]), std::max(ends[0], ends[1]), pair->p.two_sided);
}

// What the model without the dropped books gains over the plain one.
std::string gain_text(const Comparison& comparison) {
  const MetricComparison& metric = comparison.metrics.front();
  return fmt::format(
      "Without them {} on the {} test searches, whose grades are right, changes by {}.",
      metric.metric, metric.num_queries, difference_text(comparison, kCleanedSystem));
}

// What being readable costs.
std::string glassbox_text(const DemoFindings& findings) {
  const MetricComparison& metric = findings.comparison.metrics.front();
  return fmt::format(
      "{} curves and {} surfaces, nothing else: {} {:.4f} against lambdamart's {:.4f}, {}.",
      findings.glassbox.num_curves, findings.glassbox.num_surfaces, metric.metric,
      metric.systems[kGlassboxSystem].mean, metric.systems[0].mean,
      difference_text(findings.comparison, kGlassboxSystem));
}

std::string picture_files(const DemoGlassbox& glassbox) {
  std::string text;
  for (const DemoEffect& effect : glassbox.effects) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", effect.file);
  }
  return text;
}

}  // namespace

std::string demo_text(const DemoFindings& findings) {
  return fmt::format(
      "Searches in a book shop, written to {}:\n\n{}\n"
      "Measured on the test searches:\n\n{}\n{}\n"
      "Wrongly judged books, by SOUR: {}\n\n{}\n{}\n{}\n\n"
      "The glass box, by ILMART: {}\n\n{}\nDrawn: {}\n\n"
      "Why this order? Explained: {}\n"
      "Why is the first above the second? Explained: {}\n"
      "How far to trust explanations, {} test searches audited:\n{}\n"
      "What lambdamart uses most: the drop of {} when a feature is permuted\n\n{}\n"
      "Report: {}\n"
      "Look first at Rankings: choose a search, then two of its books, to see why one is above the "
      "other.\n",
      findings.folder, aligned(findings.parts), systems_text(findings),
      comparison_table(findings.comparison), findings.cleaning.summary,
      aligned(findings.cleaning.books), found_text(findings.cleaning),
      gain_text(findings.comparison), glassbox_text(findings),
      effect_table(findings.glassbox.gam, kNumFeatures), picture_files(findings.glassbox),
      findings.explanations.ranking, findings.explanations.pair, kDemoAuditQueries, findings.audit,
      findings.importance.permutation->params.metric,
      importance_table(findings.importance, kNumFeatures), findings.report_path);
}

void DemoCleaningCounts::visit(ResultVisitor& visitor) const {
  visitor.field("num_dropped", num_dropped, "books SOUR dropped");
  visitor.field("num_wrong", num_wrong, "of these judged wrongly");
  visitor.field("num_mistakes", num_mistakes, "books judged wrongly in all");
}

void DemoGlassboxCounts::visit(ResultVisitor& visitor) const {
  visitor.field("num_curves", num_curves, "effects of one feature");
  visitor.field("num_surfaces", num_surfaces, "effects of two");
}

void DemoResult::visit(ResultVisitor& visitor) const {
  visitor.field("out", out, "folder of data, models and pictures");
  visitor.field("report", report, "the page");
  visitor.object("cleaning", cleaning, "what SOUR found");
  visitor.object("glassbox", glassbox, "what ILMART's model is the sum of");
  visitor.object("comparison", comparison, "of the rankings on the test part, as compare prints");
  importance.visit(visitor);
}

DemoResult demo_result(const DemoFindings& findings) {
  return {.out = findings.folder,
          .report = findings.report_path,
          .cleaning = {findings.cleaning.num_dropped, findings.cleaning.num_wrong,
                       findings.cleaning.num_mistakes},
          .glassbox = {findings.glassbox.num_curves, findings.glassbox.num_surfaces},
          .comparison = findings.comparison,
          .importance = importance_report(findings.importance, 0)};
}

}  // namespace glassrank
