#include "glassrank/data/synth/grading.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

// How many of `size` rows lie below each grade from 1 up.
std::vector<std::size_t> counts_below(std::size_t size, std::span<const double> shares) {
  std::vector<std::size_t> counts;
  double below = 0;
  for (std::size_t g = 0; g + 1 < shares.size(); ++g) {
    below += shares[g];
    const auto count = std::llround(below * static_cast<double>(size));
    counts.push_back(std::min(static_cast<std::size_t>(count), size));
  }
  return counts;
}

}  // namespace

std::vector<float> grade_thresholds(std::span<const float> utilities,
                                    std::span<const double> shares) {
  std::vector<float> values(utilities.begin(), utilities.end());
  std::vector<float> thresholds;
  auto from = values.begin();
  for (const std::size_t below : counts_below(values.size(), shares)) {
    if (below == values.size()) {
      thresholds.push_back(std::numeric_limits<float>::infinity());
      continue;
    }
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(from, place, values.end());
    thresholds.push_back(*place);
    from = place;
  }
  return thresholds;
}

float grade_of(float utility, std::span<const float> thresholds) {
  float grade = 0;
  for (const float threshold : thresholds) grade += utility >= threshold ? 1.0F : 0.0F;
  return grade;
}

void grade_within_queries(std::span<const float> utilities, const QueryGroups& queries,
                          std::span<const double> shares, const Context& context,
                          std::span<float> grades) {
  parallel_for(context, queries.num_queries(), 16, [&](std::size_t begin, std::size_t end) {
    std::vector<std::size_t> order;
    for (std::size_t q = begin; q < end; ++q) {
      const RowRange range = queries.rows(q);
      order.resize(range.size());
      std::iota(order.begin(), order.end(), range.begin);
      std::ranges::stable_sort(order, {}, [&](std::size_t r) { return utilities[r]; });
      const auto below = counts_below(order.size(), shares);
      for (std::size_t i = 0; i < order.size(); ++i) {
        const auto grade = std::ranges::count_if(below, [&](std::size_t b) { return i >= b; });
        grades[order[i]] = static_cast<float>(grade);
      }
    }
  });
}

}  // namespace glassrank
