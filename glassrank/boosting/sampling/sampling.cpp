#include "glassrank/boosting/sampling/sampling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "glassrank/base/random.h"

namespace glassrank {

bool Sampler::select_documents(const SampleView& /*view*/, std::vector<std::uint32_t>& /*rows*/) {
  return false;
}

bool Sampler::select_rows(const SampleView& /*view*/, GradientView /*gradients*/,
                          std::vector<std::uint32_t>& /*rows*/) {
  return false;
}

bool RowBagging::select_rows(const SampleView& view, GradientView /*gradients*/,
                             std::vector<std::uint32_t>& rows) {
  const std::size_t draw = view.round / static_cast<std::size_t>(params_.every);
  const CounterRandom random(view.context.seed, "row_bagging", draw);
  rows.clear();
  for (std::size_t r = 0; r < view.data.num_rows(); ++r) {
    if (random.uniform(view.shard.first_row + r) < params_.fraction)
      rows.push_back(static_cast<std::uint32_t>(r));
  }
  return true;
}

bool QueryBagging::select_documents(const SampleView& view, std::vector<std::uint32_t>& rows) {
  const std::size_t draw = view.round / static_cast<std::size_t>(params_.every);
  const CounterRandom random(view.context.seed, "query_bagging", draw);
  rows.clear();
  for (std::size_t q = 0; q < view.data.num_queries(); ++q) {
    if (random.uniform(view.shard.first_query + q) >= params_.fraction) continue;
    const RowRange range = view.data.queries().rows(q);
    for (std::size_t r = range.begin; r < range.end; ++r) {
      rows.push_back(static_cast<std::uint32_t>(r));
    }
  }
  return true;
}

namespace {

// The n-th largest (n > 0) of numbers >= 0 on all machines. Such numbers are in the order of their
// bits: a few of these at a time are counted, from the highest down.
float nth_largest_anywhere(std::span<const float> values, std::uint64_t n,
                           const Communicator& communicator) {
  constexpr std::array<unsigned, 4> kShifts = {24, 16, 8, 0};
  std::uint32_t found = 0;
  for (const unsigned shift : kShifts) {
    std::vector<std::uint64_t> counts(256);
    const std::uint64_t above = (std::uint64_t{found} >> shift) >> 8;
    for (const float value : values) {
      const std::uint64_t bits = std::bit_cast<std::uint32_t>(value);
      if ((bits >> shift) >> 8 == above) ++counts[bits >> shift & 255];
    }
    communicator.sum(counts);
    std::uint32_t digit = 255;
    for (; n > counts[digit]; --digit) n -= counts[digit];
    found |= digit << shift;
  }
  return std::bit_cast<float>(found);
}

float nth_largest(std::span<const float> values, std::uint64_t n,
                  const Communicator& communicator) {
  if (!communicator.is_alone()) return nth_largest_anywhere(values, n, communicator);
  std::vector<float> sorted(values.begin(), values.end());
  const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(n - 1);
  std::nth_element(sorted.begin(), last, sorted.end(), std::greater<>());
  return *last;
}

}  // namespace

bool Goss::select_rows(const SampleView& view, GradientView gradients,
                       std::vector<std::uint32_t>& rows) {
  const std::size_t n = view.data.num_rows();
  std::vector<float> sizes(n);
  for (std::size_t r = 0; r < n; ++r) {
    sizes[r] = std::abs(gradients.gradient[r] * gradients.hessian[r]);
  }
  std::uint64_t num_rows = n;
  view.context.communicator->sum({&num_rows, 1});
  const auto num_top = static_cast<std::uint64_t>(params_.top * static_cast<double>(num_rows));
  const float border = num_top > 0 ? nth_largest(sizes, num_top, *view.context.communicator)
                                   : std::numeric_limits<float>::infinity();
  // Rows at the border are top rows, all of them; the rest is drawn row by row.
  const double chance = std::min(1.0, params_.other / std::max(1.0 - params_.top, 1e-12));
  const auto scale = static_cast<float>(1.0 / std::max(chance, 1e-12));
  const CounterRandom random(view.context.seed, "goss", view.round);
  rows.clear();
  for (std::size_t r = 0; r < n; ++r) {
    if (sizes[r] < border) {
      if (random.uniform(view.shard.first_row + r) >= chance) continue;
      gradients.gradient[r] *= scale;
      gradients.hessian[r] *= scale;
    }
    rows.push_back(static_cast<std::uint32_t>(r));
  }
  return true;
}

}  // namespace glassrank
