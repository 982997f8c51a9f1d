#include "glassrank/methods/training/run_record.h"

namespace glassrank {

void RoundRecord::visit(ResultVisitor& visitor) const {
  visitor.field("bag", bag, "its bag, from 1");
  visitor.field("round", round, "its number, from 1");
  visitor.field("num_rows", num_rows, "rows its tree was grown on");
  visitor.field("row_share", row_share, "share of the rows its tree was grown on");
  visitor.field("ms", ms, "milliseconds it took");
  visitor.values("metrics", metrics, "metrics after the round, by data set and metric");
}

void RunSettings::visit(ResultVisitor& visitor) const {
  for (const auto& [key, value] : lines) visitor.field(key, value, "a setting of the run");
}

void RunRecord::visit(ResultVisitor& visitor) const {
  visitor.object("run", run, "program, files, seed and parameters, by name");
  visitor.object("report", report, "how the training went");
  visitor.list("rounds", rounds, "every round");
}

RunRecord run_record(const Provenance& run, const TrainResult& result) {
  RunRecord record{.run = {run}, .report = result.report, .rounds = {}};
  const TrainingCurve& curve = result.curve;
  for (std::size_t r = 0; r < curve.rounds.size(); ++r) {
    RoundRecord round{.round = r + 1};
    if (!curve.places.empty()) {
      round.bag = curve.places[r].bag;
      round.round = curve.places[r].round;
    }
    if (!curve.costs.empty() && curve.costs[r].all_rows > 0) {
      const RoundCost& cost = curve.costs[r];
      round.num_rows = cost.rows;
      round.row_share = static_cast<double>(cost.rows) / static_cast<double>(cost.all_rows);
      round.ms = 1e3 * cost.seconds;
    }
    for (std::size_t m = 0; m < curve.names.size(); ++m) {
      round.metrics.emplace_back(curve.names[m], curve.rounds[r][m]);
    }
    record.rounds.push_back(std::move(round));
  }
  return record;
}

}  // namespace glassrank
