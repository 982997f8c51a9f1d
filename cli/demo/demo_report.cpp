#include "cli/demo/demo_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/text_columns.h"
#include "glassrank/explain/effect_importance.h"
#include "glassrank/metrics/compare_report.h"

namespace glassrank::cli {
namespace {

constexpr std::size_t kNumFeatures = 10;
// Of the comparison.
constexpr std::size_t kCleanedSystem = 1;
constexpr std::size_t kGlassboxSystem = 2;

std::string aligned(const ReportTable& table) {
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

std::string drop_text(const PermutationParams& params) {
  return fmt::format(
      "How much {} on the test searches drops when the values of one feature are dealt out anew "
      "among all books ({} times each), with a {:.0f} % bootstrap interval over searches. A "
      "feature "
      "whose interval covers 0 may be of no use.",
      params.metric, params.repeats, 100 * params.level);
}

std::vector<ReportBar> system_bars(const Comparison& comparison) {
  std::vector<ReportBar> bars;
  for (std::size_t s = 0; s < comparison.systems.size(); ++s) {
    const SystemMean& mean = comparison.metrics.front().systems[s];
    bars.push_back({.label = comparison.systems[s],
                    .value = mean.mean,
                    .low = mean.interval.low,
                    .high = mean.interval.high,
                    .text = fmt::format("{:.4f}", mean.mean)});
  }
  return bars;
}

std::vector<ReportBar> importance_bars(const Importance& importance) {
  std::vector<ReportBar> bars;
  for (const std::size_t f : importance.order()) {
    if (bars.size() == kNumFeatures) break;
    const FeatureDrop& drop = importance.permutation->features[f];
    bars.push_back({.label = importance.names[f],
                    .value = drop.mean,
                    .low = drop.interval.low,
                    .high = drop.interval.high,
                    .text = fmt::format("{:.4f}", drop.mean)});
  }
  return bars;
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
      "How far to trust explanations, {} test searches audited: {}\n"
      "What lambdamart uses most: the drop of {} when a feature is permuted\n\n{}\n"
      "Report: {}\n",
      findings.folder, aligned(findings.parts), systems_text(findings),
      comparison_table(findings.comparison), findings.cleaning.summary,
      aligned(findings.cleaning.books), found_text(findings.cleaning),
      gain_text(findings.comparison), glassbox_text(findings),
      effect_table(findings.glassbox.gam, kNumFeatures), picture_files(findings.glassbox),
      findings.explanations.ranking, findings.explanations.pair, kDemoAuditQueries,
      findings.explanations.audit, findings.importance.permutation->params.metric,
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

HtmlReport demo_report(const DemoFindings& findings) {
  HtmlReport report("Ranking books");
  report.paragraph(
      "Searches in an invented book shop. Each book found for a search has a grade from 0 (not "
      "wanted) to 4 (just what was looked for); a good ranking puts high grades first.");
  report.heading("The data");
  report.table(findings.parts);
  report.heading("How good the ranking is");
  report.paragraph("NDCG@10 on the test searches, with a 95 % bootstrap interval.");
  report.bars(system_bars(findings.comparison));
  ReportTable systems{.header = {"ranking", "what it is"}, .rows = {}};
  for (std::size_t s = 0; s < findings.system_notes.size(); ++s) {
    systems.rows.push_back({findings.comparison.systems[s], findings.system_notes[s]});
  }
  report.table(systems);
  report.heading("Which differences are real");
  report.command(comparison_table(findings.comparison));
  report.heading("Wrongly judged books");
  report.paragraph(fmt::format(
      "SOUR trains a model and looks for books with grade 0 that it ranks among the first 10 "
      "however many trees it has, above wanted ones. They are dropped and the model is trained "
      "again. Here: {}.",
      findings.cleaning.summary));
  report.paragraph(
      fmt::format("{} {}", found_text(findings.cleaning), gain_text(findings.comparison)));
  report.table(findings.cleaning.books);
  report.paragraph(
      "One search: each band is a book, its height the discount of its rank. Books found by SOUR "
      "are orange; beside each name stands the given grade.");
  report.picture(findings.cleaning.picture);
  report.heading("A ranker that is its own explanation");
  report.paragraph(fmt::format(
      "ILMART's score is a sum of curves, one feature each, and a few surfaces of two. Here: {} "
      "What a book gets for a value can be read off below, with the books of the training part "
      "under each curve. Surfaces are purified: they show what two features do together, beyond "
      "what either does alone.",
      glassbox_text(findings)));
  report.command(effect_table(findings.glassbox.gam, kNumFeatures));
  for (const DemoEffect& effect : findings.glassbox.effects) report.picture(effect.picture);
  report.heading("Why this order, and why A above B");
  report.paragraph(fmt::format(
      "The search {}. First the few features that keep its order by themselves, then what puts "
      "its first book above its second: what each feature adds to the difference of the scores.",
      findings.explanations.query));
  report.command(findings.explanations.ranking);
  report.command(findings.explanations.pair);
  report.picture(findings.explanations.pair_picture);
  report.heading("How far explanations can be trusted");
  report.paragraph(fmt::format(
      "Three explainers on {} test searches: how much of the order the named features keep, what "
      "is left without them, whether the answers come again, and how well they agree with the "
      "decisions in the trees.",
      kDemoAuditQueries));
  report.command(findings.explanations.audit);
  report.heading("What the model uses most");
  report.paragraph(drop_text(findings.importance.permutation->params));
  report.bars(importance_bars(findings.importance));
  report.command(importance_table(findings.importance, 0));
  report.heading("The first tree of the model");
  report.command(findings.tree);
  report.heading("The same by hand");
  report.command(findings.commands);
  return report;
}

}  // namespace glassrank::cli
