#pragma once
// Curves of single documents (Goldstein, Kapelner, Bleich and Pitkin 2015): a document's score as
// one of its features changes and everything else, the other documents too, stays.
//
// Documents are drawn without replacement, by the seed; all of them when there are no more. Cost:
// documents x places of the axis scorings.

#include <cstddef>

#include "glassrank/explain/global/dependence.h"

namespace glassrank {

// Fills `values`, the mean, and `curves` from the one axis and the centring of the result.
void add_individual_curves(const Subject& subject, std::size_t num_documents, Dependence& result,
                           const Context& context);

}  // namespace glassrank
