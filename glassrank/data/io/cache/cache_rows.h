#pragma once
// A cache of feature values as a stream of rows: blocks are copied out of the mapped file.

#include <memory>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

// Throws like open_cache().
std::unique_ptr<RowSource> open_cache_rows(const std::string& path, const Context& context);

}  // namespace glassrank
