#include "glassrank/data/bin_search.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/data/bin_edges.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

// Random cuts, and values on, just above and just below them, besides any other bits.
struct Case {
  std::vector<float> cuts;
  std::vector<float> values;
};

Case random_case(std::size_t num_cuts, std::size_t num_values) {
  const CounterRandom random(11, "search", num_cuts);
  Case result;
  for (std::size_t i = 0; result.cuts.size() < num_cuts; ++i) {
    const float last = result.cuts.empty() ? -50.0F : result.cuts.back();
    const auto gap = static_cast<float>(random.uniform(i) * 1e-2);
    result.cuts.push_back(random.below(i + 1'000'000, 3) == 0 ? std::nextafter(last, 1e9F)
                                                              : last + gap + 1e-4F);
  }
  for (std::size_t i = 0; i < num_values; ++i) {
    const auto bits = static_cast<std::uint32_t>(random.bits(i + 2'000'000));
    const float near = num_cuts == 0 ? 0.0F : result.cuts[random.below(i + 3'000'000, num_cuts)];
    const float choices[] = {near,
                             std::nextafter(near, 1e9F),
                             std::nextafter(near, -1e9F),
                             std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::infinity(),
                             -0.0F,
                             std::bit_cast<float>(bits)};
    result.values.push_back(choices[random.below(i, std::size(choices))]);
  }
  return result;
}

template <typename Code>
void expect_same_as_binary_search(std::size_t num_cuts) {
  const Case random = random_case(num_cuts, 999);
  const BinEdges edges({0, num_cuts}, random.cuts);
  const SearchTable table(random.cuts);
  constexpr std::size_t kStride = 3;
  std::vector<float> strided(random.values.size() * kStride, 1e9F);
  for (std::size_t i = 0; i < random.values.size(); ++i) strided[i * kStride] = random.values[i];
  std::vector<Code> codes(random.values.size() + 1, 77);
  const std::size_t num_missing =
      search_bins(table, {strided.data(), kStride, random.values.size()}, codes.data());
  std::size_t expected_missing = 0;
  for (std::size_t i = 0; i < random.values.size(); ++i) {
    ASSERT_EQ(codes[i], edges.bin(0, random.values[i])) << random.values[i];
    expected_missing += std::isnan(random.values[i]) ? 1 : 0;
  }
  EXPECT_EQ(codes.back(), 77);  // nothing beyond the block is written
  EXPECT_EQ(num_missing, expected_missing);
}

TEST_ON_EVERY_TARGET(BinSearch, AgreesWithBinarySearch) {
  for (const std::size_t n : {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 63, 64, 127, 128, 254}) {
    expect_same_as_binary_search<std::uint8_t>(n);
  }
  for (const std::size_t n : {255, 256, 257, 4095, 4096, 20'000, 65'534}) {
    expect_same_as_binary_search<std::uint16_t>(n);
  }
}

}  // namespace
}  // namespace glassrank
