#include "glassrank/metrics/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/base/random.h"
#include "glassrank/math/distributions.h"

namespace glassrank {
namespace {

// How often each query was drawn. Counting first and weighting afterwards keeps the draws free of
// floating additions that wait for each other, and serves every system with one set of draws.
void draw_counts(const CounterRandom& random, std::span<std::uint32_t> counts) {
  const std::size_t n = counts.size();
  std::ranges::fill(counts, 0U);
  const auto draw = [&](std::uint32_t word) {
    ++counts[static_cast<std::uint64_t>(word) * n >> 32];
  };
  for (std::size_t block = 0; block < n / 4; ++block) {
    const PhiloxBlock words = random.block(block);
    for (const std::uint32_t word : words) draw(word);
  }
  const PhiloxBlock last = random.block(n / 4);
  for (std::size_t w = 0; w < n % 4; ++w) draw(last[w]);
}

// Four partial sums, so that additions overlap; always the same order.
double weighted_mean(std::span<const double> values, std::span<const std::uint32_t> counts) {
  std::array<double, 4> sums{};
  const std::size_t whole = values.size() / 4 * 4;
  for (std::size_t q = 0; q < whole; q += 4) {
    for (std::size_t i = 0; i < 4; ++i) sums[i] += values[q + i] * counts[q + i];
  }
  for (std::size_t q = whole; q < values.size(); ++q) sums[q - whole] += values[q] * counts[q];
  return (sums[0] + sums[1] + sums[2] + sums[3]) / static_cast<double>(values.size());
}

// `sorted` ascends; linear interpolation between order statistics.
double quantile(std::span<const double> sorted, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double fraction = place - std::floor(place);
  return sorted[below] + fraction * (sorted[above] - sorted[below]);
}

double acceleration(std::span<const double> values, double mean) {
  double squares = 0;
  double cubes = 0;
  for (const double value : values) {
    const double u = value - mean;
    squares += u * u;
    cubes += u * u * u;
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0.0;
}

}  // namespace

std::span<const std::pair<std::string_view, IntervalMethod>> EnumNames<IntervalMethod>::table() {
  static constexpr std::array<std::pair<std::string_view, IntervalMethod>, 2> kTable{{
      {"bca", IntervalMethod::kBca},
      {"percentile", IntervalMethod::kPercentile},
  }};
  return kTable;
}

BootstrapMeans::BootstrapMeans(std::span<const std::vector<double>> systems,
                               std::uint64_t resamples, const Context& context)
    : systems_(systems.begin(), systems.end()),
      means_(systems.size(), std::vector<double>(resamples)) {
  if (systems.empty()) fail(ErrorKind::kInput, "there are no systems to resample");
  if (resamples == 0) fail(ErrorKind::kUsage, "the bootstrap needs at least one resample");
  for (const auto& values : systems) check_paired(systems.front(), values);
  constexpr std::size_t kChunk = 64;
  parallel_for(context, resamples, kChunk, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    std::vector<std::uint32_t> counts(systems_.front().size());
    for (std::size_t r = begin; r < end; ++r) {
      draw_counts(CounterRandom(context.seed, "bootstrap", r), counts);
      for (std::size_t s = 0; s < systems_.size(); ++s) {
        means_[s][r] = weighted_mean(systems_[s], counts);
      }
    }
  });
}

Interval BootstrapMeans::mean_interval(std::size_t s, const IntervalParams& params) const {
  return bootstrap_interval(systems_[s], means_[s], params);
}

Interval BootstrapMeans::difference_interval(std::size_t a, std::size_t b,
                                             const IntervalParams& params) const {
  std::vector<double> resampled(means_[a].size());
  std::ranges::transform(means_[a], means_[b], resampled.begin(), std::minus<>());
  return bootstrap_interval(paired_differences(systems_[a], systems_[b]), std::move(resampled),
                            params);
}

Interval bootstrap_interval(std::span<const double> values, std::vector<double> resampled_means,
                            const IntervalParams& params) {
  std::ranges::sort(resampled_means);
  const double low = (1 - params.level) / 2;
  if (params.method == IntervalMethod::kPercentile) {
    return {quantile(resampled_means, low), quantile(resampled_means, 1 - low)};
  }
  const double mean = mean_of(values);
  const auto equal = std::ranges::equal_range(resampled_means, mean);
  const auto size = static_cast<double>(resampled_means.size());
  const auto below = static_cast<double>(equal.begin() - resampled_means.begin()) +
                     static_cast<double>(equal.size()) / 2;
  // All resamples on one side would put z0 at infinity; half a resample stands for "none seen".
  const double bias = normal_quantile(std::clamp(below, 0.5, size - 0.5) / size);
  const double a = acceleration(values, mean);
  const auto adjusted = [&](double share) {
    const double z = bias + normal_quantile(share);
    return quantile(resampled_means, normal_upper(-(bias + z / (1 - a * z))));
  };
  return {adjusted(low), adjusted(1 - low)};
}

}  // namespace glassrank
