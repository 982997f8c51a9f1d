#pragma once
// Data whose missing values (NaN) are 0, as RankLib and LightGBM's use_missing=false have it.

#include <memory>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

// The data as they are where nothing is missing; else a copy of the matrix.
Dataset missing_as_zero(const Dataset& data, const Context& context);
// Changes the values as they pass.
std::unique_ptr<RowSource> missing_as_zero(std::unique_ptr<RowSource> source);

}  // namespace glassrank
