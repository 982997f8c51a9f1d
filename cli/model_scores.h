#pragma once
// What commands with models share: data that fits them, and their scores of its rows.

#include <span>
#include <string>
#include <vector>

#include "glassrank/data/io/formats.h"
#include "glassrank/models/model.h"

namespace glassrank::cli {

// Reads the data; rows with fewer features than a model are padded with absent values (a sparse
// file ends at the highest feature it names), with a notice. Features beyond those of every model
// and another name for the same column in model and data give a notice too.
Dataset load_rows_for(std::span<const Model> models, const std::string& path,
                      const ReadParams& params, const Context& context);
inline Dataset load_rows_for(const Model& model, const std::string& path, const ReadParams& params,
                             const Context& context) {
  return load_rows_for(std::span(&model, 1), path, params, context);
}

// One per row, in the order of the data.
std::vector<double> score_rows(const Model& model, const Dataset& data, const Context& context);

}  // namespace glassrank::cli
