#include <cmath>
#include <limits>

#include "glassrank/studies/sampling_study.h"

namespace glassrank {

void SampledTraining::visit(ResultVisitor& visitor) const {
  visitor.field("system", system, "full, selective or high-low");
  visitor.field("num_rounds", num_rounds, "rounds of boosting");
  visitor.field("num_trees", num_trees, "trees kept");
  visitor.field("share", share, "of the rows, in the mean over rounds");
  visitor.field("seconds_per_tree", seconds_per_tree, "to grow a tree");
  visitor.field("seconds", seconds, "to grow all of them");
  visitor.field("test", mean, "the metric on the test data");
  visitor.field("p", p.two_sided, "of Fisher's test against the first system, two-sided");
  visitor.field("round_shares", round_shares, "share of the rows, by round");
  visitor.field("round_seconds", round_seconds, "seconds, by round");
  visitor.field("valid", curve, "the metric on the validation data, by round");
}

void SamplingStudy::visit(ResultVisitor& visitor) const {
  visitor.field("metric", metric, "what quality is measured by");
  visitor.list("systems", systems, "one entry a system");
}

StudyTables study_tables(const SamplingStudy& study) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  StudyTables tables{
      .data = Table({{.name = "system"},
                     {.name = "round"},
                     {.name = "share"},
                     {.name = "seconds"},
                     {.name = "valid"}}),
      .shown = Table({{.name = "system"},
                      {.name = "of the rows", .notation = Notation::kPercent, .digits = 1},
                      {.name = "ms a tree", .digits = 2},
                      {.name = "times", .digits = 2},
                      {.name = "trees"},
                      {.name = "total s", .digits = 2},
                      {.name = study.metric},
                      {.name = "p"}}),
      .notes = {
          "times: how much faster than the first; p: Fisher's test against the first, two-sided"}};
  const double full = study.systems.empty() ? 0 : study.systems.front().seconds_per_tree;
  for (const SampledTraining& each : study.systems) {
    const bool has_p = &each != &study.systems.front() && !std::isnan(each.mean);
    tables.shown.add({cell(each.system), cell(each.share), cell(1000 * each.seconds_per_tree),
                      cell(full / each.seconds_per_tree), cell(each.num_trees), cell(each.seconds),
                      cell(each.mean), cell(has_p ? each.p.two_sided : kNone)});
    for (std::size_t t = 0; t < each.round_shares.size(); ++t) {
      tables.data.add({cell(each.system), cell(t + 1), cell(each.round_shares[t]),
                       cell(each.round_seconds[t]),
                       t < each.curve.size() ? cell(each.curve[t]) : Cell()});
    }
  }
  return tables;
}

}  // namespace glassrank
