#include "glassrank/methods/ebm/lane_pass_kernel.h"

#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

// Everything row by row, lane by lane. Errors are compared exactly, sums to rounding.
template <typename Code>
void compare(std::uint64_t seed, std::size_t num_cells, bool has_weights, bool has_sums) {
  RandomSequence random(CounterRandom(seed, "lane pass"));
  std::vector<LaneSegment> segments;
  std::size_t n = 0;
  for (std::size_t roles = 0; roles < 1 + random.below(6); ++roles) {
    LaneSegment segment{.begin = n, .end = n + random.below(40)};
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
      const std::size_t role = seed % 3 == 0 ? 0 : random.below(3);
      segment.trains[lane] = role == 0;
      segment.judges[lane] = role == 1;
    }
    n = segment.end;
    segments.push_back(segment);
  }
  std::vector<Code> codes(n);
  std::vector<Code> step_codes(n);
  std::vector<float> weights(has_weights ? n : 0);
  std::vector<float> errors(n * kBagLanes);
  std::vector<float> step(num_cells * kBagLanes);
  for (Code& code : codes) code = static_cast<Code>(random.below(num_cells));
  for (Code& code : step_codes) code = static_cast<Code>(random.below(num_cells));
  for (float& weight : weights) weight = static_cast<float>(random.below(3));
  for (float& error : errors) error = static_cast<float>(random.normal());
  for (float& value : step) value = static_cast<float>(random.normal());

  std::vector<float> slow_errors = errors;
  std::vector<double> slow_sums(num_cells * kBagLanes);
  std::array<double, kBagLanes> slow_losses{};
  for (const LaneSegment& segment : segments) {
    for (std::size_t r = segment.begin; r < segment.end; ++r) {
      const double weight = has_weights ? weights[r] : 1;
      for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
        float& error = slow_errors[r * kBagLanes + lane];
        error += step[step_codes[r] * kBagLanes + lane];
        if (segment.trains[lane]) slow_sums[codes[r] * kBagLanes + lane] += weight * error;
        if (segment.judges[lane]) slow_losses[lane] += weight * error * error;
      }
    }
  }
  std::vector<double> sums(has_sums ? kSumCopies * num_cells * kBagLanes : 0);
  const std::array<double, kBagLanes> losses = pass_lanes(
      LanePass<Code>{.segments = segments,
                     .errors = errors,
                     .weights = weights,
                     .step_codes = step_codes,
                     .step = step,
                     .codes = has_sums ? std::span<const Code>(codes) : std::span<const Code>(),
                     .sums = sums});
  EXPECT_EQ(errors, slow_errors) << seed;
  for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
    EXPECT_NEAR(losses[lane], slow_losses[lane], 1e-9) << seed;
  }
  if (!has_sums) return;
  for (std::size_t i = 0; i < slow_sums.size(); ++i) {
    const double* cell = sums.data() + i / kBagLanes * kBagLanes * kSumCopies + i % kBagLanes;
    EXPECT_NEAR(cell[0] + cell[kBagLanes], slow_sums[i], 1e-9) << seed << ' ' << i;
  }
}

TEST(LanePassKernel, DoesWhatRowByRowDoes) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    compare<std::uint8_t>(seed, 1 + seed * 6, seed % 2 == 0, seed % 5 != 0);
    compare<std::uint16_t>(seed, 1 + seed * 25, seed % 2 == 0, seed % 5 != 0);
  }
}

}  // namespace
}  // namespace glassrank
