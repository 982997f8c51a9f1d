#pragma once
// Importances as JSON, added to a document. Include only from sources (base/json.h).
//
//   "permutation": {"metric": "ndcg@10", "value": 0.9, "num_queries": 80, ...}
//   "importance": [{"feature": 3, "name": "price", "splits": 12, "gain": 30.5,
//                   "drop": 0.04, "low": 0.03, "high": 0.05, "spread": 0.001}, ...]
//
// Most important first; measures that are not there are left out.

#include <cstddef>

#include "glassrank/base/json.h"
#include "glassrank/explain/importance_table.h"

namespace glassrank {

// The `top` first features (0: all).
void add_importance(Json& document, const Importance& importance, std::size_t top);

}  // namespace glassrank
