#include "glassrank/models/gam_lookup.h"

#include <array>

namespace glassrank {
namespace {

struct Curve {
  const double* values = nullptr;
  const std::uint16_t* codes = nullptr;
};

template <std::size_t kCurves>
void add_curves(const std::array<Curve, kCurves>& curves, std::size_t num_rows, double* sums) {
  for (std::size_t r = 0; r < num_rows; ++r) {
    double sum = sums[r];
    for (const Curve& curve : curves) sum += curve.values[curve.codes[r]];
    sums[r] = sum;
  }
}

struct Surface {
  const double* values = nullptr;
  const std::int32_t* first_map = nullptr;
  const std::int32_t* second_map = nullptr;
  const std::uint16_t* first_codes = nullptr;
  const std::uint16_t* second_codes = nullptr;
};

void add_surface(const Surface& surface, std::size_t num_rows, double* sums) {
  for (std::size_t r = 0; r < num_rows; ++r) {
    const std::int32_t cell =
        surface.first_map[surface.first_codes[r]] + surface.second_map[surface.second_codes[r]];
    sums[r] += surface.values[cell];
  }
}

bool is_curve(const GamLookup& lookup) { return lookup.columns[1] == GamLookup::kNone; }

}  // namespace

void add_effects(const GamPlan& plan, std::size_t begin, std::size_t end, const GamCodes& block,
                 double* sums) {
  const auto codes = [&](const GamLookup& lookup, std::size_t axis) {
    return block.codes + lookup.columns[axis] * block.stride;
  };
  const auto curve = [&](std::size_t e) {
    const GamLookup& lookup = plan.lookups[e];
    return Curve{.values = plan.values.data() + lookup.values, .codes = codes(lookup, 0)};
  };
  for (std::size_t e = begin; e < end;) {
    const GamLookup& lookup = plan.lookups[e];
    if (!is_curve(lookup)) {
      add_surface({.values = plan.values.data() + lookup.values,
                   .first_map = plan.maps.data() + lookup.maps[0],
                   .second_map = plan.maps.data() + lookup.maps[1],
                   .first_codes = codes(lookup, 0),
                   .second_codes = codes(lookup, 1)},
                  block.num_rows, sums);
      ++e;
      continue;
    }
    std::size_t size = 1;
    while (size < 4 && e + size < end && is_curve(plan.lookups[e + size])) ++size;
    if (size == 4) {
      add_curves<4>({curve(e), curve(e + 1), curve(e + 2), curve(e + 3)}, block.num_rows, sums);
      e += 4;
    } else {
      add_curves<1>({curve(e)}, block.num_rows, sums);
      ++e;
    }
  }
}

}  // namespace glassrank
