#pragma once
// The record of a training run: what was asked for, and what every round gave and took.
//
// Times live here, not in the model: equal runs write equal models. Everything but the times is
// equal for equal runs here, too. With bags a round has its bag, and rounds are counted in each. A
// round that a resumed run only replayed has no rows and no times.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/methods/method.h"

namespace glassrank {

struct RoundRecord {
  std::optional<std::size_t> bag;
  std::size_t round = 0;  // from 1
  std::optional<std::size_t> num_rows;
  std::optional<double> row_share;
  std::optional<double> ms;
  NamedValues metrics;  // "valid ndcg@10"
  void visit(ResultVisitor& visitor) const;
};

// Program, files, seed and parameters by name.
struct RunSettings {
  Provenance lines;
  void visit(ResultVisitor& visitor) const;
};

struct RunRecord {
  RunSettings run;
  TrainReport report;
  std::vector<RoundRecord> rounds;
  void visit(ResultVisitor& visitor) const;
};

RunRecord run_record(const Provenance& run, const TrainResult& result);

}  // namespace glassrank
