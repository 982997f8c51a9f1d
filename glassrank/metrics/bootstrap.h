#pragma once
// Bootstrap confidence intervals of mean metric values and of their differences (Efron 1979, 1987).
//
// Queries are drawn with replacement, the same draw for every system, so the bootstrap distribution
// of a difference of means is the difference of the systems' bootstrap means: one set of resamples
// serves every system and every pair.
//   percentile: quantiles (1 -+ level)/2 of the bootstrap means
//   bca: the quantiles Phi(z0 + (z0 + z) / (1 - a (z0 + z))) for z = Phi^-1((1 -+ level)/2), where
//        z0 = Phi^-1(share of bootstrap means below the estimate, half of the equal ones counted)
//        a  = sum u^3 / (6 (sum u^2)^1.5), u = deviations of the queries from the mean (jackknife)
// Quantiles interpolate linearly between order statistics, as numpy and scipy.stats.bootstrap do.
//
// Draw j of resample r is word j mod 4 of Philox block j / 4 in lane r of the stream "bootstrap",
// times n, shifted right by 32 (bias below n / 2^32). Independent of threads.
// Cost: resamples * queries * systems additions; memory resamples * systems doubles.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/metrics/paired_test.h"

namespace glassrank {

enum class IntervalMethod { kBca, kPercentile };
template <>
struct EnumNames<IntervalMethod> {
  static std::span<const std::pair<std::string_view, IntervalMethod>> table();
};

struct IntervalParams {
  IntervalMethod method = IntervalMethod::kBca;
  double level = 0.95;
};

class BootstrapMeans {
 public:
  // `systems[s][q]`, at least one system and one query, all finite; Error{kInput} otherwise.
  // Keeps a copy of the values.
  BootstrapMeans(std::span<const std::vector<double>> systems, std::uint64_t resamples,
                 const Context& context);

  // The mean of system s in every resample.
  std::span<const double> means(std::size_t s) const { return means_[s]; }
  Interval mean_interval(std::size_t s, const IntervalParams& params = {}) const;
  // Of mean(a) - mean(b).
  Interval difference_interval(std::size_t a, std::size_t b,
                               const IntervalParams& params = {}) const;

 private:
  std::vector<std::vector<double>> systems_;
  std::vector<std::vector<double>> means_;  // [system][resample]
};

// The interval for the mean of `values`, given the means of resamples of them.
Interval bootstrap_interval(std::span<const double> values, std::vector<double> resampled_means,
                            const IntervalParams& params);

}  // namespace glassrank
