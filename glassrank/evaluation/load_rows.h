#pragma once
// Data that fits the model it is read for: one place for every command that brings a model and a
// data file together. match_columns.h says how columns meet features.
//
// A model is never scored on columns as they happen to lie: files name them, or number them from 0
// or from 1, and a model of another program has its own way to count.

#include <span>
#include <string>

#include "glassrank/data/io/formats.h"
#include "glassrank/models/model.h"

namespace glassrank {

// What the model wants. The names are the model's: it must outlive the result.
WantedFeatures features_of(const Model& model);

// Feature f of the model is column f of the result; the data may have more behind. `path` and
// `params` are what the data was read with. Throws Error{kInput} where columns cannot be matched.
// Cost: nothing where the columns are in place, else a copy of the matrix.
Dataset rows_for(const Model& model, const Dataset& data, const std::string& path,
                 const ReadParams& params, const Context& context);

// What data for these models is to be read with: columns of theirs whose values are names of
// categories are read as such.
ReadParams read_params_for(std::span<const Model> models, const ReadParams& params);

// One data set for several models. Throws Error{kInput} where they do not have the same features in
// the same order, as far as each goes.
Dataset rows_for(std::span<const Model> models, const Dataset& data, const std::string& path,
                 const ReadParams& params, const Context& context);

Dataset load_rows_for(const Model& model, const std::string& path, const ReadParams& params,
                      const Context& context);
Dataset load_rows_for(std::span<const Model> models, const std::string& path,
                      const ReadParams& params, const Context& context);

}  // namespace glassrank
