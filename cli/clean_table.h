#pragma once
// The grid of `glassrank train --tune` for people and for programs.

#include <string>

#include "glassrank/base/json.h"
#include "glassrank/methods/cleaned_lambdamart.h"

namespace glassrank::cli {

// One line a cleaning, the chosen one marked; `metric` names the column ("valid ndcg@10").
std::string grid_text(const CleanedResult& cleaned, std::size_t num_rows,
                      const std::string& metric);
Json grid_json(const CleanedResult& cleaned, std::size_t num_rows, const std::string& metric);

}  // namespace glassrank::cli
