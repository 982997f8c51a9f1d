#include "glassrank/metrics/multiple_testing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace glassrank {

std::span<const std::pair<std::string_view, Correction>> EnumNames<Correction>::table() {
  static constexpr std::array<std::pair<std::string_view, Correction>, 3> kTable{{
      {"holm", Correction::kHolm},
      {"bonferroni", Correction::kBonferroni},
      {"none", Correction::kNone},
  }};
  return kTable;
}

std::vector<double> correct_p_values(std::span<const double> p, Correction correction) {
  std::vector<double> corrected(p.begin(), p.end());
  if (correction == Correction::kNone) return corrected;
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  double running = 0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    const std::size_t family = correction == Correction::kHolm ? p.size() - j : p.size();
    running = std::max(running, static_cast<double>(family) * p[order[j]]);
    corrected[order[j]] = std::min(1.0, running);
  }
  return corrected;
}

}  // namespace glassrank
