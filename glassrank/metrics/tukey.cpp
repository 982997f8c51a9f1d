#include "glassrank/metrics/tukey.h"

#include <cmath>
#include <limits>

#include "glassrank/base/error.h"
#include "glassrank/math/studentized_range.h"

namespace glassrank {
namespace {

void check(std::span<const std::vector<double>> systems) {
  if (systems.size() < 2) {
    fail(ErrorKind::kUsage, "Tukey's test compares two or more systems, here is {}",
         systems.size());
  }
  for (const auto& values : systems) check_paired(systems.front(), values);
  if (systems.front().size() < 2) {
    fail(ErrorKind::kInput, "Tukey's test needs two or more queries");
  }
}

// Mean over systems for every query.
std::vector<double> query_means(std::span<const std::vector<double>> systems) {
  std::vector<double> means(systems.front().size(), 0.0);
  for (const auto& values : systems) {
    for (std::size_t q = 0; q < means.size(); ++q) means[q] += values[q];
  }
  for (double& mean : means) mean /= static_cast<double>(systems.size());
  return means;
}

}  // namespace

TukeyResult tukey_hsd(std::span<const std::vector<double>> systems, const TukeyParams& params) {
  check(systems);
  const auto k = static_cast<double>(systems.size());
  const auto n = static_cast<double>(systems.front().size());
  std::vector<double> means;
  for (const auto& values : systems) means.push_back(mean_of(values));
  const double grand_mean = mean_of(means);

  TukeyResult result;
  result.degrees = params.blocks ? (n - 1) * (k - 1) : k * (n - 1);
  const std::vector<double> block_means =
      params.blocks ? query_means(systems)
                    : std::vector<double>(systems.front().size(), grand_mean);
  double squares = 0;
  for (std::size_t s = 0; s < systems.size(); ++s) {
    for (std::size_t q = 0; q < block_means.size(); ++q) {
      const double residual = systems[s][q] - means[s] - block_means[q] + grand_mean;
      squares += residual * residual;
    }
  }
  result.mean_square_error = squares / result.degrees;

  const double error = std::sqrt(result.mean_square_error / n);
  const auto groups = static_cast<int>(systems.size());
  const double margin =
      error * studentized_range_upper_quantile(1 - params.level, groups, result.degrees);
  for (std::size_t a = 0; a < systems.size(); ++a) {
    for (std::size_t b = a + 1; b < systems.size(); ++b) {
      TukeyPair pair{.a = a, .b = b, .mean_difference = means[a] - means[b]};
      const double size = std::abs(pair.mean_difference);
      if (size > 0) pair.q = error > 0 ? size / error : std::numeric_limits<double>::infinity();
      pair.p = studentized_range_upper(pair.q, groups, result.degrees);
      pair.interval = {pair.mean_difference - margin, pair.mean_difference + margin};
      result.pairs.push_back(pair);
    }
  }
  return result;
}

}  // namespace glassrank
