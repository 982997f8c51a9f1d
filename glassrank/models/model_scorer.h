#pragma once
// What every kind of model can be asked: its features, and scores of rows. The one place that knows
// the kinds; commands go through it.

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/models/model.h"

namespace glassrank {

std::size_t num_features_of(const Model& model);
// Empty when the model knows no names.
std::span<const std::string> feature_names_of(const Model& model);

// One row, the plain way: the definition (Forest::score, Gam::score).
double score_row(const Model& model, std::span<const float> row);

// scores[i] = score_row(model, rows.row(i)), to the bit, by the kind's fast scorer. Throws
// Error{kUsage} when the rows have fewer features than the model or the sizes differ.
void score_rows(const Model& model, MatrixView<const float> rows, std::span<double> scores,
                const Context& context);

// For work that follows trees. Throws Error{kUsage} naming the file when the model is additive.
const Forest& require_forest(const Model& model, const std::string& file);
Forest require_forest(Model&& model, const std::string& file);

}  // namespace glassrank
