#include "glassrank/models/gam/gam_lookup.h"

#include <algorithm>
#include <array>

namespace glassrank {
namespace {

constexpr std::size_t kEffectsAtOnce = 4;

// A curve, or a surface whose cells are known.
struct Effect {
  const double* values = nullptr;
  const std::uint16_t* cells = nullptr;
};

template <std::size_t kEffects>
void add(const std::array<Effect, kEffects>& effects, std::size_t begin, std::size_t end,
         double* sums) {
  for (std::size_t r = begin; r < end; ++r) {
    double sum = sums[r];
    for (const Effect& effect : effects) sum += effect.values[effect.cells[r]];
    sums[r] = sum;
  }
}

struct WideSurface {
  const double* values = nullptr;
  const std::int32_t* first_map = nullptr;
  const std::int32_t* second_map = nullptr;
  const std::uint16_t* first_codes = nullptr;
  const std::uint16_t* second_codes = nullptr;
};

void add(const WideSurface& surface, std::size_t begin, std::size_t end, double* sums) {
  for (std::size_t r = begin; r < end; ++r) {
    const std::int32_t cell =
        surface.first_map[surface.first_codes[r]] + surface.second_map[surface.second_codes[r]];
    sums[r] += surface.values[cell];
  }
}

// How many effects are added together, starting with one.
std::size_t group_at(const GamPlan& plan, std::size_t effect) {
  if (effect + kEffectsAtOnce > plan.lookups.size()) return 1;
  for (std::size_t i = 0; i < kEffectsAtOnce; ++i) {
    if (plan.lookups[effect + i].is_wide()) return 1;
  }
  return kEffectsAtOnce;
}

class BlockAdder {
 public:
  BlockAdder(const GamPlan& plan, const GamLookupBlock& block)
      : plan_(plan),
        block_(block),
        ahead_(reinterpret_cast<const char*>(block.ahead.data())),
        ahead_end_(ahead_ + block.ahead.size_bytes()) {
    std::size_t num_groups = 0;
    for (std::size_t e = 0; e < plan.lookups.size(); e += group_at(plan, e)) ++num_groups;
    const std::size_t num_chunks = num_groups * ((block.num_rows + kRows - 1) / kRows);
    const std::size_t num_lines = (block.ahead.size_bytes() + kLine - 1) / kLine;
    lines_a_chunk_ = num_chunks == 0 ? 0 : (num_lines + num_chunks - 1) / num_chunks;
  }

  void add_all() {
    for (std::size_t e = 0; e < plan_.lookups.size(); e += group_at(plan_, e)) {
      if (group_at(plan_, e) == kEffectsAtOnce) {
        static_assert(kEffectsAtOnce == 4);
        add_chunks(std::array{effect(e), effect(e + 1), effect(e + 2), effect(e + 3)});
      } else {
        add_one(e);
      }
    }
  }

 private:
  static constexpr std::size_t kRows = 16;  // between two looks ahead
  static constexpr std::size_t kLine = 64;

  const std::uint16_t* codes(const GamLookup& lookup, std::size_t axis) const {
    return block_.codes + lookup.columns[axis] * block_.stride;
  }
  Effect effect(std::size_t number) const {
    const GamLookup& lookup = plan_.lookups[number];
    return {.values = plan_.values.data() + lookup.values,
            .cells =
                lookup.is_curve() ? codes(lookup, 0) : block_.cells + lookup.cells * block_.stride};
  }

  void add_one(std::size_t number) {
    const GamLookup& lookup = plan_.lookups[number];
    if (!lookup.is_wide()) return add_chunks(std::array{effect(number)});
    add_chunks(WideSurface{.values = plan_.values.data() + lookup.values,
                           .first_map = plan_.wide_maps.data() + lookup.maps[0],
                           .second_map = plan_.wide_maps.data() + lookup.maps[1],
                           .first_codes = codes(lookup, 0),
                           .second_codes = codes(lookup, 1)});
  }

  template <typename Effects>
  void add_chunks(const Effects& effects) {
    for (std::size_t begin = 0; begin < block_.num_rows; begin += kRows) {
      for (std::size_t i = 0; i < lines_a_chunk_ && ahead_ < ahead_end_; ++i, ahead_ += kLine) {
        // To the second-level cache: the first one is too small for a block's rows and the tables.
        __builtin_prefetch(ahead_, 0, 2);
      }
      add(effects, begin, std::min(begin + kRows, block_.num_rows), block_.sums);
    }
  }

  const GamPlan& plan_;
  const GamLookupBlock& block_;
  const char* ahead_;
  const char* ahead_end_;
  std::size_t lines_a_chunk_ = 0;
};

}  // namespace

void add_effects(const GamPlan& plan, const GamLookupBlock& block) {
  BlockAdder(plan, block).add_all();
}

}  // namespace glassrank
