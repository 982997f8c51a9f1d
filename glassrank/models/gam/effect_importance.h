#pragma once
// How much the effects of an additive model matter, read off its tables.
//
//   weighted    sum over cells of weight * |value - mean| / sum of weights, mean weighted the same:
//               what the effect moves the score of a training row by; needs the cells' weights
//   unweighted  mean of |value| over the cells, those of missing values left out: the ILMART
//               authors' measure, which counts a cell without a row as much as any other

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/models/gam/gam.h"

namespace glassrank {

struct EffectImportance {
  std::optional<double> weighted;  // nothing without weights
  double unweighted = 0;
};

EffectImportance importance_of(const GamEffect& effect);

// Effects by weighted importance where every effect has it, else by the unweighted one; the largest
// first, equal ones in the model's order.
std::vector<std::size_t> effects_by_importance(std::span<const EffectImportance> importances);

// The `top` first effects (0: all) as a table for people:
//   effect         mean |effect|  mean |cell|  cells
//   price                 0.1812       0.2010     12  ####################
//   price x pages         0.0403       0.0520    144  ####
std::string effect_table(const Gam& gam, std::size_t top);

}  // namespace glassrank
