#include <limits>

#include <fmt/format.h>

#include "glassrank/studies/noise_study.h"

namespace glassrank {

void NoiseRun::visit(ResultVisitor& visitor) const {
  visitor.field("rate", rate, "share of grades flipped");
  visitor.field("seed", seed, "number of the draw");
  visitor.field("system", system, "plain, or the cleaning");
  visitor.field("mean", mean, "of the metric on the test data");
  visitor.field("num_trees", num_trees, "trees of the model");
  visitor.field("num_dropped", num_dropped, "rows dropped by cleaning");
  visitor.field("num_flipped", num_flipped, "rows of the training data flipped");
  visitor.field("num_found", num_found, "rows both flipped and dropped");
  visitor.field("num_eligible", num_eligible, "rows a cleaner of this type may drop");
}

void NoiseSummary::visit(ResultVisitor& visitor) const {
  visitor.field("rate", rate, "share of grades flipped");
  visitor.field("system", system, "plain, or the cleaning");
  visitor.field("mean", mean, "of the metric on the test data, over seeds");
  visitor.field("deviation", deviation, "standard deviation over seeds");
  visitor.field("dropped", dropped, "share of the training data dropped");
  visitor.field("precision", precision, "share of the dropped rows that had been flipped");
  visitor.field("recall", recall, "share of the flipped rows that were dropped");
  visitor.field("chance", chance, "precision of drawing blindly");
  visitor.field("p", p.greater, "of Fisher's test: better than plain");
}

void NoiseStudy::visit(ResultVisitor& visitor) const {
  visitor.field("metric", metric, "what quality is measured by");
  visitor.field("num_queries", num_queries, "test queries");
  visitor.list("summaries", summaries, "one entry a rate and system");
  visitor.list("runs", runs, "one entry a rate, seed and system");
}

StudyTables study_tables(const NoiseStudy& study) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto percent = [](const char* name) {
    return Column{.name = name, .notation = Notation::kPercent, .digits = 1};
  };
  StudyTables tables{
      .data = Table({{.name = "rate"},
                     {.name = "seed"},
                     {.name = "system"},
                     {.name = study.metric},
                     {.name = "trees"},
                     {.name = "dropped"},
                     {.name = "flipped"},
                     {.name = "found"},
                     {.name = "eligible"}}),
      .shown = Table({{.name = "flipped", .notation = Notation::kPercent, .digits = -1},
                      {.name = "system"},
                      {.name = study.metric},
                      {.name = "sd"},
                      percent("dropped"),
                      percent("precision"),
                      percent("chance"),
                      percent("recall"),
                      {.name = "p", .notation = Notation::kSignificant, .digits = 2}}),
      .notes = {
          fmt::format(
              "{} on {} test queries with right grades, mean and standard deviation over seeds",
              study.metric, study.num_queries),
          "precision: dropped documents that had been flipped; chance: what drawing blindly would "
          "give",
          "p: Fisher's test, better than plain, on each query's mean over seeds"}};
  for (const NoiseRun& run : study.runs) {
    tables.data.add({cell(run.rate), cell(run.seed), cell(run.system), cell(run.mean),
                     cell(run.num_trees), cell(run.num_dropped), cell(run.num_flipped),
                     cell(run.num_found), cell(run.num_eligible)});
  }
  for (const NoiseSummary& summary : study.summaries) {
    const auto cleaned = [&](double value) {
      return cell(summary.system == "plain" ? kNone : value);
    };
    tables.shown.add({cell(summary.rate), cell(summary.system), cell(summary.mean),
                      cell(summary.deviation), cleaned(summary.dropped), cleaned(summary.precision),
                      cleaned(summary.chance), cleaned(summary.recall),
                      cleaned(summary.p.greater)});
  }
  return tables;
}

}  // namespace glassrank
