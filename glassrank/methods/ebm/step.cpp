#include "glassrank/methods/ebm/step.h"

#include <algorithm>
#include <array>

namespace glassrank {
namespace {

// Places [begin, end) of a curve and the best place to cut them at; cut == end: none.
struct Leaf {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t cut = 0;
  double gain = 0;
};

// before[p] is the sum of the places before p.
Leaf find_cut(std::span<const CellSum> before, std::size_t begin, std::size_t end,
              const StepRules& rules) {
  Leaf leaf{.begin = begin, .end = end, .cut = end};
  const CellSum whole = before[end] - before[begin];
  if (!is_leaf(whole, rules)) return leaf;
  const double whole_strength = leaf_strength(whole);
  double best = whole_strength;
  for (std::size_t cut = begin + 1; cut < end; ++cut) {
    const CellSum low = before[cut] - before[begin];
    if (!is_leaf(low, rules)) continue;
    const CellSum high = before[end] - before[cut];
    if (!is_leaf(high, rules)) break;  // rows and hessians only become fewer
    const double found = leaf_strength(low) + leaf_strength(high);
    if (found > best) {
      best = found;
      leaf.cut = cut;
    }
  }
  leaf.gain = best - whole_strength;
  if (!is_gain(best, whole_strength)) leaf.cut = end;
  return leaf;
}

// Sums of rectangles of a surface, in places.
class Corner {
 public:
  // Needs (height + 1) * (width + 1) entries of scratch. `turned` exchanges the axes.
  Corner(const SurfaceCells& surface, bool turned, std::span<CellSum> sums)
      : height_(turned ? surface.width : surface.height),
        width_(turned ? surface.height : surface.width),
        sums_(sums) {
    std::fill_n(sums_.begin(), width_ + 1, CellSum{});
    for (std::size_t i = 0; i < height_; ++i) {
      CellSum in_row;
      at(i + 1, 0) = {};
      for (std::size_t j = 0; j < width_; ++j) {
        const std::size_t outer = cell_at(i, height_);
        const std::size_t inner = cell_at(j, width_);
        in_row +=
            surface.cells[turned ? inner * surface.width + outer : outer * surface.width + inner];
        at(i + 1, j + 1) = at(i, j + 1) + in_row;
      }
    }
  }

  std::size_t height() const { return height_; }
  std::size_t width() const { return width_; }
  // Rows [i, k) and places before j of the inner axis.
  CellSum low(std::size_t i, std::size_t k, std::size_t j) const { return at(k, j) - at(i, j); }

 private:
  CellSum& at(std::size_t i, std::size_t j) { return sums_[i * (width_ + 1) + j]; }
  const CellSum& at(std::size_t i, std::size_t j) const { return sums_[i * (width_ + 1) + j]; }

  std::size_t height_;
  std::size_t width_;
  std::span<CellSum> sums_;
};

struct InnerCut {
  std::size_t cut = 0;  // 0: none
  double strength = 0;
};

InnerCut best_inner_cut(const Corner& corner, std::size_t begin, std::size_t end,
                        const StepRules& rules) {
  InnerCut best;
  const CellSum whole = corner.low(begin, end, corner.width());
  for (std::size_t cut = 1; cut < corner.width(); ++cut) {
    const CellSum low = corner.low(begin, end, cut);
    if (!is_leaf(low, rules)) continue;
    const CellSum high = whole - low;
    if (!is_leaf(high, rules)) break;
    const double found = leaf_strength(low) + leaf_strength(high);
    if (best.cut == 0 || found > best.strength) best = {.cut = cut, .strength = found};
  }
  return best;
}

struct SurfaceCut {
  bool turned = false;
  std::size_t outer = 0;                        // 0: none
  std::array<std::size_t, 2> inner{};           // below and above the outer cut
  std::array<std::array<float, 2>, 2> steps{};  // [side of outer][side of inner]
};

// Betters `best` and its strength, if some cut of this order of axes does.
void try_cuts(const Corner& corner, bool turned, const StepRules& rules, double& strength_to_beat,
              SurfaceCut& best) {
  const std::size_t height = corner.height();
  bool is_better = false;
  for (std::size_t outer = 1; outer < height; ++outer) {
    const InnerCut below = best_inner_cut(corner, 0, outer, rules);
    if (below.cut == 0) continue;
    const InnerCut above = best_inner_cut(corner, outer, height, rules);
    if (above.cut == 0) continue;
    if (below.strength + above.strength <= strength_to_beat) continue;
    strength_to_beat = below.strength + above.strength;
    best = {.turned = turned, .outer = outer, .inner = {below.cut, above.cut}};
    is_better = true;
  }
  if (!is_better) return;
  for (const std::size_t side : {0, 1}) {
    const std::size_t begin = side == 0 ? 0 : best.outer;
    const std::size_t end = side == 0 ? best.outer : height;
    const CellSum low = corner.low(begin, end, best.inner[side]);
    const CellSum high = corner.low(begin, end, corner.width()) - low;
    best.steps[side] = {leaf_step(low, rules), leaf_step(high, rules)};
  }
}

}  // namespace

bool fit_curve(std::span<const CellSum> cells, const StepRules& rules, StepScratch& scratch,
               std::span<float> step) {
  const std::size_t n = cells.size();
  std::ranges::fill(step, 0.0F);
  scratch.resize(std::max(scratch.size(), n + 1));
  const std::span<CellSum> before = std::span(scratch).first(n + 1);
  before[0] = {};
  for (std::size_t p = 0; p < n; ++p) before[p + 1] = before[p] + cells[cell_at(p, n)];

  std::vector<Leaf> leaves = {find_cut(before, 0, n, rules)};
  while (leaves.size() < rules.max_leaves) {
    std::size_t best = leaves.size();
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (leaves[i].cut == leaves[i].end) continue;
      if (best == leaves.size() || leaves[i].gain > leaves[best].gain) best = i;
    }
    if (best == leaves.size()) break;
    const Leaf parent = leaves[best];
    leaves[best] = find_cut(before, parent.begin, parent.cut, rules);
    leaves.insert(leaves.begin() + static_cast<std::ptrdiff_t>(best) + 1,
                  find_cut(before, parent.cut, parent.end, rules));
  }
  if (leaves.size() == 1) return false;
  for (const Leaf& leaf : leaves) {
    const float value = leaf_step(before[leaf.end] - before[leaf.begin], rules);
    for (std::size_t p = leaf.begin; p < leaf.end; ++p) step[cell_at(p, n)] = value;
  }
  return true;
}

bool fit_surface(const SurfaceCells& surface, const StepRules& rules, StepScratch& scratch,
                 std::span<float> step) {
  std::ranges::fill(step, 0.0F);
  const std::size_t room = (surface.height + 1) * (surface.width + 1);
  scratch.resize(std::max(scratch.size(), room));
  SurfaceCut best;
  double strength_to_beat = 0;
  for (const bool turned : {false, true}) {
    const Corner corner(surface, turned, std::span(scratch).first(room));
    const CellSum whole = corner.low(0, corner.height(), corner.width());
    if (!is_leaf(whole, rules)) return false;
    if (!turned) strength_to_beat = leaf_strength(whole) * (1 + 1e-12);
    try_cuts(corner, turned, rules, strength_to_beat, best);
  }
  if (best.outer == 0) return false;
  for (std::size_t i = 0; i < surface.height; ++i) {
    for (std::size_t j = 0; j < surface.width; ++j) {
      const std::size_t outer = best.turned ? j : i;
      const std::size_t inner = best.turned ? i : j;
      const std::size_t side = outer < best.outer ? 0 : 1;
      step[cell_at(i, surface.height) * surface.width + cell_at(j, surface.width)] =
          best.steps[side][inner < best.inner[side] ? 0 : 1];
    }
  }
  return true;
}

}  // namespace glassrank
