#pragma once
// Corrections of a family of p-values, so that the chance of any false finding stays below alpha.
//
//   bonferroni: p_i m                              holm (1979): max over j <= i of (m - j + 1)
//   p_(j)
// in ascending order, both cut at 1. Holm is never weaker and needs no assumption either. The
// family is the set handed in; order is kept.

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/params.h"

namespace glassrank {

enum class Correction { kHolm, kBonferroni, kNone };
template <>
struct EnumNames<Correction> {
  static std::span<const std::pair<std::string_view, Correction>> table();
};

std::vector<double> correct_p_values(std::span<const double> p, Correction correction);

}  // namespace glassrank
