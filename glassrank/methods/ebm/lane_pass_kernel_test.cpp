#include "glassrank/methods/ebm/lane_pass_kernel.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

// One random pass; all of its arrays.
template <typename Code>
struct Case {
  std::vector<LaneSegment> segments;
  std::vector<Code> codes;
  std::vector<Code> step_codes;
  std::vector<float> weights;
  LaneUnits units;
  std::vector<std::int32_t> errors;
  std::vector<std::int32_t> step;
  std::size_t num_cells = 0;
};

template <typename Code>
Case<Code> random_case(std::uint64_t seed, std::size_t num_cells, bool has_weights) {
  RandomSequence random(CounterRandom(seed, "lane pass"));
  Case<Code> made{.num_cells = num_cells};
  std::size_t n = 0;
  for (std::size_t roles = 0; roles < 1 + random.below(6); ++roles) {
    LaneSegment segment{.begin = n, .end = n + random.below(40)};
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
      const std::size_t role = seed % 3 == 0 ? 0 : random.below(3);
      segment.trains[lane] = role == 0;
      segment.judges[lane] = role == 1;
    }
    n = segment.end;
    made.segments.push_back(segment);
  }
  made.codes.resize(n);
  made.step_codes.resize(n);
  made.weights.resize(has_weights ? n : 0);
  made.errors.resize(n * kBagLanes);
  made.step.resize(num_cells * kBagLanes);
  for (Code& code : made.codes) code = static_cast<Code>(random.below(num_cells));
  for (Code& code : made.step_codes) code = static_cast<Code>(random.below(num_cells));
  for (float& weight : made.weights) weight = static_cast<float>(random.uniform());
  for (std::int32_t& error : made.errors) error = static_cast<std::int32_t>(1e8 * random.normal());
  for (std::int32_t& value : made.step) value = static_cast<std::int32_t>(1e6 * random.normal());
  if (n > 0)
    made.errors[0] =
        std::numeric_limits<std::int32_t>::min() + 100'000'000;  // the largest have room
  const std::uint64_t count = std::max(n, FixedPoint::kQuickCount);
  if (has_weights) made.units.sums = FixedPoint(0x1p31, count);
  made.units.losses = FixedPoint(0x1p62, count);
  return made;
}

struct Outcome {
  std::vector<std::int32_t> errors;
  std::vector<std::int64_t> sums;
  LaneLosses losses{};

  bool operator==(const Outcome&) const = default;
};

template <typename Code>
Outcome pass_over(const Case<Code>& made, bool has_sums) {
  Outcome outcome{
      .errors = made.errors,
      .sums = std::vector<std::int64_t>(has_sums ? kSumCopies * made.num_cells * kBagLanes : 0)};
  outcome.losses = pass_lanes(LanePass<Code>{
      .segments = made.segments,
      .units = made.units,
      .errors = outcome.errors,
      .weights = made.weights,
      .step_codes = made.step_codes,
      .step = made.step,
      .codes = has_sums ? std::span<const Code>(made.codes) : std::span<const Code>(),
      .sums = outcome.sums});
  return outcome;
}

// Everything row by row, lane by lane; sums have one copy.
template <typename Code>
Outcome slow_pass_over(const Case<Code>& made) {
  Outcome outcome{.errors = made.errors,
                  .sums = std::vector<std::int64_t>(made.num_cells * kBagLanes)};
  for (const LaneSegment& segment : made.segments) {
    for (std::size_t r = segment.begin; r < segment.end; ++r) {
      const double weight = made.weights.empty() ? 1 : made.weights[r];
      for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
        std::int32_t& error = outcome.errors[r * kBagLanes + lane];
        error += made.step[made.step_codes[r] * kBagLanes + lane];
        if (segment.trains[lane]) {
          outcome.sums[made.codes[r] * kBagLanes + lane] +=
              made.units.sums.to_units(weight * error);
        }
        if (segment.judges[lane]) {
          outcome.losses[lane] += made.weights.empty()
                                      ? (std::int64_t{error} * error) >> made.units.loss_shift()
                                      : made.units.losses.to_units(weight * error * error);
        }
      }
    }
  }
  return outcome;
}

template <typename Code>
void compare(std::uint64_t seed, std::size_t num_cells, bool has_weights, bool has_sums) {
  const Case<Code> made = random_case<Code>(seed, num_cells, has_weights);
  const Outcome slow = slow_pass_over(made);
  const Outcome found = pass_over(made, has_sums);
  EXPECT_EQ(found.errors, slow.errors) << seed;
  EXPECT_EQ(found.losses, slow.losses) << seed;
  for (std::size_t i = 0; has_sums && i < slow.sums.size(); ++i) {
    const std::int64_t* cell =
        found.sums.data() + i / kBagLanes * kBagLanes * kSumCopies + i % kBagLanes;
    EXPECT_EQ(cell[0] + cell[kBagLanes], slow.sums[i]) << seed << ' ' << i;
  }
  on_every_target([&] { EXPECT_TRUE(pass_over(made, has_sums) == found) << seed; });
}

TEST(LanePassKernel, DoesWhatRowByRowDoesWithEveryInstructionSet) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    compare<std::uint8_t>(seed, 1 + seed * 6, seed % 2 == 0, seed % 5 != 0);
    compare<std::uint16_t>(seed, 1 + seed * 25, seed % 2 == 0, seed % 5 != 0);
  }
}

}  // namespace
}  // namespace glassrank
