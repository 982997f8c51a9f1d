#include "glassrank/math/linear_sample.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace glassrank {

double LinearFit::at(std::span<const double> row) const {
  double sum = intercept;
  for (std::size_t j = 0; j < coefficients.size(); ++j) sum += coefficients[j] * row[j];
  return sum;
}

CentredSample::CentredSample(const LinearSample& sample)
    : inputs(sample.inputs.data(), sample.inputs.data() + sample.num_rows() * sample.num_columns()),
      targets(sample.targets.begin(), sample.targets.end()),
      weights(sample.weights),
      means(sample.num_columns()),
      weight_sum(std::accumulate(weights.begin(), weights.end(), 0.0)) {
  const std::size_t width = means.size();
  for (std::size_t r = 0; r < targets.size(); ++r) {
    target_mean += weights[r] * targets[r];
    for (std::size_t j = 0; j < width; ++j) means[j] += weights[r] * inputs[r * width + j];
  }
  target_mean /= weight_sum;
  // Equal targets: the mean without rounding, so that nothing is left to explain.
  if (std::ranges::all_of(targets, [&](double y) { return y == targets.front(); })) {
    target_mean = targets.front();
  }
  for (double& mean : means) mean /= weight_sum;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    targets[r] -= target_mean;
    for (std::size_t j = 0; j < width; ++j) inputs[r * width + j] -= means[j];
  }
}

LinearFit CentredSample::fit_of(std::vector<double> coefficients) const {
  LinearFit fit{.intercept = target_mean, .coefficients = std::move(coefficients)};
  for (std::size_t j = 0; j < means.size(); ++j) fit.intercept -= fit.coefficients[j] * means[j];
  return fit;
}

}  // namespace glassrank
