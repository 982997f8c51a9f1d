#pragma once
// A query and a document of it by the names people give them.

#include <cstddef>
#include <cstdint>
#include <string>

#include "glassrank/data/dataset.h"
#include "glassrank/explain/explanation_view.h"  // document_names

namespace glassrank::cli {

// Throws Error{kUsage} for an id that the data does not have, with the nearest one.
std::size_t find_query(const Dataset& data, const std::string& id);

// The place within the query of the document of this name, else of this 1-based number. Throws
// Error{kUsage} for an unknown one, with the nearest name.
std::uint32_t find_document(const Dataset& data, std::size_t query, const std::string& name);

}  // namespace glassrank::cli
