#pragma once
// Whatever ranks: a closed set of model kinds, with the record of how the model came to be.
//
// A model does not know how it was made; provenance is text carried along: parameters, data digest,
// seed, version of the program, edits.
//
// Code that depends on the kind says so with match(), which must handle every kind:
//
//   const bool has_trees = match(model, [](const Forest&) { return true; },
//                                [](const auto&) { return false; });
//
// Nothing else looks into `body`: a new kind then fails to compile wherever it is not handled.
//
// To add a kind: 1. a folder with what kind.h asks for; 2. its header and its place in the variant
// below; 3. its files in CMakeLists.txt. Where a kind has a better way than others (a faster
// scorer, exact Shapley values, a file format), that place names it; elsewhere nobody does.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "glassrank/models/forest/forest.h"
#include "glassrank/models/gam/gam.h"
#include "glassrank/models/linear/linear.h"
#include "glassrank/models/mlp/mlp.h"

namespace glassrank {

// Ordered key/value lines, for example {"params.num_trees", "100"}.
using Provenance = std::vector<std::pair<std::string, std::string>>;

struct Model {
  std::variant<Forest, Gam, Linear, Mlp> body;
  Provenance provenance;
};

// Of the first line with this key; empty if there is none.
std::string_view provenance_value(const Model& model, std::string_view key);

template <typename... Cases>
struct Overloads : Cases... {
  using Cases::operator()...;
};

// Calls the case for the model's kind. A generic lambda handles the kinds that no other case names.
template <typename... Cases>
decltype(auto) match(const Model& model, Cases&&... cases) {
  return std::visit(Overloads<std::decay_t<Cases>...>{std::forward<Cases>(cases)...}, model.body);
}

// "forest", "additive model", "linear model", "neural network": for messages.
std::string_view kind_of(const Model& model);
// What the model is made of, "trees" or "effects" for example, and how many there are.
std::string_view parts_of(const Model& model);
std::size_t num_parts_of(const Model& model);

std::size_t num_features_of(const Model& model);
// Empty when the model knows no names.
std::span<const std::string> feature_names_of(const Model& model);
// What the codes of features that are categories stand for; empty where no feature has names.
CategoryNames category_names_of(const Model& model);
// By the definition, one row the plain way: the oracle of every scorer (scorer.h).
double score_row(const Model& model, std::span<const float> row);

// The model as the one kind that some work needs; copies share the trees or tables. Throws
// Error{kUsage} "--trees needs a forest; this is an additive model" for any other kind.
Forest require_forest(const Model& model, std::string_view what_needs_it);
Gam require_gam(const Model& model, std::string_view what_needs_it);

}  // namespace glassrank
