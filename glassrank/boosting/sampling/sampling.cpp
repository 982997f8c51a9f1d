#include "glassrank/boosting/sampling/sampling.h"

#include <algorithm>
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
    if (random.uniform(r) < params_.fraction) rows.push_back(static_cast<std::uint32_t>(r));
  }
  return true;
}

bool QueryBagging::select_documents(const SampleView& view, std::vector<std::uint32_t>& rows) {
  const std::size_t draw = view.round / static_cast<std::size_t>(params_.every);
  const CounterRandom random(view.context.seed, "query_bagging", draw);
  rows.clear();
  for (std::size_t q = 0; q < view.data.num_queries(); ++q) {
    if (random.uniform(q) >= params_.fraction) continue;
    const RowRange range = view.data.queries().rows(q);
    for (std::size_t r = range.begin; r < range.end; ++r) {
      rows.push_back(static_cast<std::uint32_t>(r));
    }
  }
  return true;
}

bool Goss::select_rows(const SampleView& view, GradientView gradients,
                       std::vector<std::uint32_t>& rows) {
  const std::size_t n = view.data.num_rows();
  const auto num_top = static_cast<std::size_t>(params_.top * static_cast<double>(n));
  std::vector<float> sizes(n);
  for (std::size_t r = 0; r < n; ++r) {
    sizes[r] = std::abs(gradients.gradient[r] * gradients.hessian[r]);
  }
  float border = std::numeric_limits<float>::infinity();
  if (num_top > 0) {
    std::vector<float> sorted = sizes;
    const auto last_top = sorted.begin() + static_cast<std::ptrdiff_t>(num_top - 1);
    std::nth_element(sorted.begin(), last_top, sorted.end(), std::greater<>());
    border = *last_top;
  }
  // Rows at the border are top rows, all of them; the rest is drawn row by row.
  const double chance = std::min(1.0, params_.other / std::max(1.0 - params_.top, 1e-12));
  const auto scale = static_cast<float>(1.0 / std::max(chance, 1e-12));
  const CounterRandom random(view.context.seed, "goss", view.round);
  rows.clear();
  for (std::size_t r = 0; r < n; ++r) {
    if (sizes[r] < border) {
      if (random.uniform(r) >= chance) continue;
      gradients.gradient[r] *= scale;
      gradients.hessian[r] *= scale;
    }
    rows.push_back(static_cast<std::uint32_t>(r));
  }
  return true;
}

}  // namespace glassrank
