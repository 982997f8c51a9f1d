#pragma once
// The files LightGBM keeps beside a data file: FILE.query holds the number of rows of each query,
// FILE.weight one weight per row; one number a line, in the order of the rows.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

// True if there is a FILE.query; never for standard input ("-").
bool has_query_file(const std::string& data_path);

// Nothing if there is no such file. Throws Error{kInput} if its numbers are wrong or do not add up
// to `num_rows`. Queries are named by their place: "1", "2", ...
std::optional<QueryGroups> read_query_file(const std::string& data_path, std::size_t num_rows,
                                           const Context& context);
std::optional<std::vector<float>> read_weight_file(const std::string& data_path,
                                                   std::size_t num_rows, const Context& context);

}  // namespace glassrank
