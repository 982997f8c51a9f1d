#include "glassrank/methods/ebm/run_kernel.h"

#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

TEST(RunKernel, AddsWhatLookingUpRowByRowAdds) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomSequence random(CounterRandom(seed, "runs"));
    std::vector<float> step(2 + random.below(255));
    const std::size_t cuts[] = {random.below(step.size()), random.below(step.size()),
                                random.below(step.size())};
    for (std::size_t c = 0; c < step.size(); ++c) {
      for (const std::size_t cut : cuts) step[c] += c >= cut ? 1.5F : 0.0F;
    }
    std::vector<std::uint8_t> codes(random.below(100));
    std::vector<float> values(codes.size());
    std::vector<float> expected(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = static_cast<std::uint8_t>(random.below(step.size()));
      values[i] = static_cast<float>(random.normal());
      expected[i] = values[i] + step[codes[i]];
    }
    const std::optional<StepRuns> runs = find_runs(step);
    ASSERT_TRUE(runs.has_value());
    add_runs(*runs, codes, values);
    EXPECT_EQ(values, expected) << seed;
  }
}

TEST(RunKernel, HasNoRunsForManyValues) {
  EXPECT_FALSE(find_runs(std::vector<float>{1, 2, 1, 2, 1}).has_value());
  EXPECT_TRUE(find_runs(std::vector<float>{1, 2, 1, 2}).has_value());
  EXPECT_FALSE(find_runs(std::vector<float>(257)).has_value());
}

}  // namespace
}  // namespace glassrank
