#pragma once
// Categories of several files whose texts have other codes in each: the codes that one file of all
// rows would give them.

#include <memory>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

// The same rows; features whose lists of categories differ get the list of all rows, the most
// frequent category first (io/categories.h). Where no list differs, the sources as they are; else
// the cost is a pass over every file.
std::vector<std::unique_ptr<RowSource>> with_merged_categories(
    std::vector<std::unique_ptr<RowSource>> sources, const Context& context);

}  // namespace glassrank
