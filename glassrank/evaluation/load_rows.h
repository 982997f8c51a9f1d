#pragma once
// Data that fits the models it is read for.

#include <span>
#include <string>

#include "glassrank/data/io/formats.h"
#include "glassrank/models/model.h"

namespace glassrank {

// Reads the data; rows with fewer features than a model are padded with absent values (a sparse
// file ends at the highest feature it names), with a notice. Features beyond those of every model
// and another name for the same column in model and data give a notice too.
Dataset load_rows_for(std::span<const Model> models, const std::string& path,
                      const ReadParams& params, const Context& context);
inline Dataset load_rows_for(const Model& model, const std::string& path, const ReadParams& params,
                             const Context& context) {
  return load_rows_for(std::span(&model, 1), path, params, context);
}

}  // namespace glassrank
