#pragma once
// One kind of model as another, where the two can say the same.
//
// A forest whose trees use at most two features each is additive (distil.h); an additive model is a
// forest of one tree per effect (gam_forest.h). A linear model is additive, too, and becomes tables
// by the values of some data (linear_steps.h). A neural network is nothing of this.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/model.h"

namespace glassrank {

// Throws Error{kInput} for a linear model and a neural network.
Forest as_forest(const Model& model);
// Throws Error{kInput} for a neural network and a forest that is not additive, Error{kUsage} for a
// linear model without `data`, which nobody else needs.
Gam as_gam(const Model& model, const Dataset* data = nullptr, const Context& context = {});
// The same, with the model's file before the message of an error.
Gam as_gam(const std::string& file, const Model& model, const Dataset* data = nullptr,
           const Context& context = {});

// The model with missing values taken as 0, whatever it did with them: for training data that had
// none, or whose missing values were 0. Programs without missing values then give the same scores.
Model missing_as_zero(const Model& model);

// Whether some part of the model looks at the feature.
bool uses_feature(const Model& model, std::uint32_t feature);

// The model with a feature before all others that it does not look at, or without its first one:
// LightGBM and XGBoost count the columns of LETOR text from 0, the ids there begin with 1. Names
// that are not the ids get lost: such text has none.
Model with_unused_first(const Model& model);
// The model with 1, 2, ... for names, if it has none.
Model with_numbers_for_names(const Model& model);
// The model with features after its own that it does not look at, so that it has `count`. Throws
// Error{kUsage} if it has more, if its features have names of their own, or if it knows no columns.
Model with_num_features(const Model& model, std::size_t count);
// The model for LightGBM ("lightgbm") or XGBoost ("xgboost") to use on LETOR text that they read
// themselves. XGBoost takes what a row does not name as missing, where it is 0 for everybody else:
// missing values then go where 0 goes.
Model for_their_text(const Model& model, std::string_view format);
// Throws Error{kInput} if the model looks at its first feature, or has none.
Model without_first(const Model& model);

}  // namespace glassrank
