#pragma once
// An additive model as one long CSV table for spreadsheets and plotting programs; only written.
//
//   effect,feature_1,lower_1,upper_1,feature_2,lower_2,upper_2,value,error,weight
//
// One line per cell: lower < x <= upper, from -inf to inf; the cell of missing values has "missing"
// in both, that of a category its name. Fields that do not apply or are not known are empty. The
// first line below the header is the intercept.

#include <string>

#include "glassrank/models/model.h"

namespace glassrank {

// The model's body must be a Gam.
std::string write_gam_csv(const Model& model);

}  // namespace glassrank
