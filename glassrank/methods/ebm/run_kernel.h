#pragma once
// Adding a curve's step to many rows. A step has few leaves, so it is few runs of equal values over
// the codes: comparisons in vectors replace look-ups row by row. Instructions are chosen at run
// time (Highway); results are the same for all of them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace glassrank {

// The value of a code is values[number of begins that are <= code].
struct StepRuns {
  static constexpr std::size_t kMostRuns = 4;  // three leaves and the missing cell after them
  std::array<std::int32_t, kMostRuns - 1> begins = {256, 256, 256};  // 256: never
  std::array<float, kMostRuns> values{};
};
// Nothing when there are more runs, or more codes than a byte holds.
std::optional<StepRuns> find_runs(std::span<const float> step);

// values[i] += the run's value of codes[i]. As long as each other.
void add_runs(const StepRuns& runs, std::span<const std::uint8_t> codes, std::span<float> values);

}  // namespace glassrank
