#include "glassrank/explain/masks/additive_terms.h"

namespace glassrank {

AdditiveTable::AdditiveTable(const Gam& gam, std::size_t num_summed)
    : gam_(gam), point_(FixedPoint::for_scores_up_to(score_bound(gam), num_summed)) {
  for (const GamEffect& effect : gam.effects()) {
    if (effect.is_pair()) surfaces_.emplace_back(effect.axes[0].feature, effect.axes[1].feature);
  }
}

std::vector<std::size_t> AdditiveTable::cells_of(std::span<const float> row) const {
  std::vector<std::size_t> cells;
  for (const GamEffect& effect : gam_.effects()) {
    for (const GamAxis& axis : effect.axes) cells.push_back(axis.cell(row[axis.feature]));
  }
  return cells;
}

AdditiveTerms AdditiveTable::no_terms() const {
  return {.constant = 0,
          .singles = std::vector<Fixed>(gam_.num_features()),
          .pairs = std::vector<Fixed>(surfaces_.size())};
}

void AdditiveTable::add_terms(std::span<const std::size_t> document,
                              std::span<const std::size_t> reference, AdditiveTerms& terms) const {
  terms.constant += point_.from(gam_.intercept());
  std::size_t at = 0;       // in the cells
  std::size_t surface = 0;  // so many before
  for (const GamEffect& effect : gam_.effects()) {
    const std::size_t x = document[at];
    const std::size_t r = reference[at++];
    if (!effect.is_pair()) {
      const Fixed usual = point_.from(effect.values[r]);
      terms.constant += usual;
      terms.singles[effect.axes[0].feature] += point_.from(effect.values[x]) - usual;
      continue;
    }
    const std::size_t y = document[at];
    const std::size_t s = reference[at++];
    const auto value = [&](std::size_t first, std::size_t second) {
      return point_.from(effect.values[first * effect.axes[1].num_cells() + second]);
    };
    const Fixed usual = value(r, s);
    const Fixed first = value(x, s) - usual;
    const Fixed second = value(r, y) - usual;
    terms.constant += usual;
    terms.singles[effect.axes[0].feature] += first;
    terms.singles[effect.axes[1].feature] += second;
    terms.pairs[surface++] += value(x, y) - usual - first - second;
  }
}

}  // namespace glassrank
