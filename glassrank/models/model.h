#pragma once
// Whatever ranks: a closed set of model kinds, with the record of how the model came to be.
//
// A model does not know how it was made; provenance is text carried along: parameters, data digest,
// seed, version of the program, edits.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "glassrank/models/forest/forest.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

// Ordered key/value lines, for example {"params.num_trees", "100"}.
using Provenance = std::vector<std::pair<std::string, std::string>>;

struct Model {
  std::variant<Forest, Gam> body;
  Provenance provenance;
};

}  // namespace glassrank
