#pragma once
// The record of a training run: what was asked for, and what every round gave and took.
//
// Times live here, not in the model: equal runs write equal models. Everything but the times is
// equal for equal runs here, too. JSON:
//   {"run": {"program": ..., "params.num_leaves": ...}, "end": "20 rounds", "trees": 20,
//    "row_share": 0.12, "ms_per_tree": 3.1,      means over the rounds trained by this process
//    "rounds": [{"round": 1, "rows": 812, "row_share": 1.0, "ms": 5.2, "train ndcg@10": 0.7}, ...]}
// With bags a round has its "bag", and rounds are counted in each.
// A round that a resumed run only replayed has null for rows and times.

#include <string>
#include <string_view>

#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/models/model.h"

namespace glassrank {

// `end` says why training ended.
std::string run_record_json(const Provenance& run, const LambdamartResult& result,
                            std::string_view end);

}  // namespace glassrank
