#include "glassrank/methods/ebm/lane_pass_kernel.h"

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
  std::vector<float> errors;
  std::vector<float> step;
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
  for (float& error : made.errors) error = static_cast<float>(random.normal());
  for (float& value : made.step) value = static_cast<float>(random.normal());
  return made;
}

struct Outcome {
  std::vector<float> errors;
  std::vector<double> sums;
  std::array<double, kBagLanes> losses{};

  bool operator==(const Outcome&) const = default;
};

template <typename Code>
Outcome pass_over(const Case<Code>& made, bool has_sums) {
  Outcome outcome{
      .errors = made.errors,
      .sums = std::vector<double>(has_sums ? kSumCopies * made.num_cells * kBagLanes : 0)};
  outcome.losses = pass_lanes(LanePass<Code>{
      .segments = made.segments,
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
  Outcome outcome{.errors = made.errors, .sums = std::vector<double>(made.num_cells * kBagLanes)};
  for (const LaneSegment& segment : made.segments) {
    for (std::size_t r = segment.begin; r < segment.end; ++r) {
      const double weight = made.weights.empty() ? 1 : made.weights[r];
      for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
        float& error = outcome.errors[r * kBagLanes + lane];
        error += made.step[made.step_codes[r] * kBagLanes + lane];
        if (segment.trains[lane]) {
          outcome.sums[made.codes[r] * kBagLanes + lane] += weight * error;
        }
        if (segment.judges[lane]) outcome.losses[lane] += weight * error * error;
      }
    }
  }
  return outcome;
}

// Errors are compared exactly, sums to rounding; instruction sets among each other exactly.
template <typename Code>
void compare(std::uint64_t seed, std::size_t num_cells, bool has_weights, bool has_sums) {
  const Case<Code> made = random_case<Code>(seed, num_cells, has_weights);
  const Outcome slow = slow_pass_over(made);
  const Outcome found = pass_over(made, has_sums);
  EXPECT_EQ(found.errors, slow.errors) << seed;
  for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
    EXPECT_NEAR(found.losses[lane], slow.losses[lane], 1e-9) << seed;
  }
  for (std::size_t i = 0; has_sums && i < slow.sums.size(); ++i) {
    const double* cell = found.sums.data() + i / kBagLanes * kBagLanes * kSumCopies + i % kBagLanes;
    EXPECT_NEAR(cell[0] + cell[kBagLanes], slow.sums[i], 1e-9) << seed << ' ' << i;
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
