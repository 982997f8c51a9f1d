#pragma once
// A query and a document of it by the names people give them.
//
// A document is told by its name, by its place in the data ("3", the third of its query) or by its
// rank ("rank:1", the best). A name goes before a place.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "glassrank/data/dataset.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

// Throws Error{kUsage} for an id that the data does not have, with the nearest one.
std::size_t find_query(const Dataset& data, const std::string& id);

// The document's place within the query, from 0. `documents` are the names of the query's
// documents. Throws Error{kUsage} when there is no such document, with the nearest name.
std::uint32_t find_document(const ExplainedQuery& query, std::span<const std::string> documents,
                            const std::string& text);

}  // namespace glassrank
