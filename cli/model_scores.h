#pragma once
// What predict and convert share: data that fits a model, and the model's scores of its rows.

#include <string>
#include <vector>

#include "glassrank/data/io/formats.h"
#include "glassrank/models/model.h"

namespace glassrank::cli {

// Reads the data; rows with fewer features than the model are padded with absent values (a sparse
// file ends at the highest feature it names), with a notice. Another name for the same column in
// model and data gives a notice too.
Dataset load_rows_for(const Model& model, const std::string& path, const ReadParams& params,
                      const Context& context);

// One per row.
std::vector<double> score_rows(const Model& model, const Dataset& data, const Context& context);

}  // namespace glassrank::cli
