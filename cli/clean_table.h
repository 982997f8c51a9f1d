#pragma once
// What cleaning did, for people and for programs: the grid of `glassrank train --tune`, the list of
// dropped documents.

#include <string>

#include "glassrank/base/json.h"
#include "glassrank/data/row_table.h"
#include "glassrank/methods/lambdamart/cleaned_lambdamart.h"

namespace glassrank::cli {

// One line a cleaning, the chosen one marked; `metric` names the column ("valid ndcg@10").
std::string grid_text(const CleanedResult& cleaned, std::size_t num_rows,
                      const std::string& metric);
// Tab-separated: query, document, row (0-based), grade, evidence; with a header line.
std::string dropped_tsv(const RowTable& data, const Cleaning& cleaning);
Json grid_json(const CleanedResult& cleaned, std::size_t num_rows, const std::string& metric);

}  // namespace glassrank::cli
