#pragma once
// Categories in data that a model does not know. Its rows have one code for all of them
// (load_rows.h), so their texts are taken from the data as it was read.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/models/model.h"

namespace glassrank {

struct UnknownCategory {
  std::uint32_t feature = 0;
  std::size_t row = 0;
  std::string text;
};

// By feature, then by row. `read` is the data as it was read from `path` with `params`, `rows` what
// rows_for() made of it for these models. Cost: rows x features that are categories with names.
std::vector<UnknownCategory> unknown_categories(std::span<const Model> models, const Dataset& read,
                                                const Dataset& rows, const std::string& path,
                                                const ReadParams& params);

}  // namespace glassrank
