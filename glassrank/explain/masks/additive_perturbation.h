#pragma once
// Masked scores of an additive model, without making rows (perturbation.h): the terms of a document
// against a reference are found once (additive_terms.h), then every mask adds those it knows, masks
// as lanes. For means, the terms of all references are added up first.
// Cost per document and reference: the effects; per document (and reference, if they are asked one
// by one): features and surfaces x masks / 8 masked additions.

#include <memory>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

// Documents and references are only read here, not kept.
std::unique_ptr<const Perturbation> make_additive_perturbation(const Gam& gam,
                                                               MatrixView<const float> documents,
                                                               MatrixView<const float> references);

}  // namespace glassrank
