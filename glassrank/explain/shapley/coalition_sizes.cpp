#include "glassrank/explain/shapley/coalition_sizes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace glassrank {

double log_num_subsets(std::size_t num_players, std::size_t size) {
  const auto log_factorial = [](std::size_t n) { return std::lgamma(static_cast<double>(n) + 1); };
  return log_factorial(num_players) - log_factorial(size) - log_factorial(num_players - size);
}

std::vector<CoalitionSize> coalition_sizes(std::size_t num_players) {
  std::vector<CoalitionSize> sizes;
  double sum = 0;
  for (std::size_t s = 1; 2 * s <= num_players; ++s) {
    const bool is_half = 2 * s == num_players;
    const double both = is_half ? 1 : 2;
    const double weight = both * static_cast<double>(num_players - 1) /
                          (static_cast<double>(s) * static_cast<double>(num_players - s));
    sizes.push_back({.size = s,
                     .is_half = is_half,
                     .share = weight,
                     .num_subsets = both * std::round(std::exp(log_num_subsets(num_players, s)))});
    sum += weight;
  }
  for (CoalitionSize& size : sizes) size.share /= sum;
  return sizes;
}

std::size_t num_full_sizes(const std::vector<CoalitionSize>& sizes, std::uint64_t num_samples) {
  auto samples_left = static_cast<double>(num_samples);
  double share_left = 1;
  std::size_t num_full = 0;
  for (const CoalitionSize& size : sizes) {
    const double share = share_left > 0 ? std::min(1.0, size.share / share_left) : 1.0;
    if (!(samples_left * share / size.num_subsets >= 1 - 1e-8)) break;
    samples_left -= size.num_subsets;
    share_left -= size.share;
    ++num_full;
  }
  return num_full;
}

void for_each_subset(std::size_t num_players, std::size_t size,
                     FunctionRef<void(const std::vector<std::uint8_t>&)> visit) {
  std::vector<std::size_t> chosen(size);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::vector<std::uint8_t> members(num_players);
  for (;;) {
    std::ranges::fill(members, std::uint8_t{0});
    for (const std::size_t i : chosen) members[i] = 1;
    visit(members);
    // The last place that can still move on; those after it follow closely.
    std::size_t place = size;
    while (place > 0 && chosen[place - 1] == num_players - size + place - 1) --place;
    if (place == 0) return;
    ++chosen[place - 1];
    for (std::size_t p = place; p < size; ++p) chosen[p] = chosen[p - 1] + 1;
  }
}

}  // namespace glassrank
