#include "glassrank/math/lasso.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "glassrank/math/gram.h"

namespace glassrank {
namespace {

// Of alpha_max: where coordinate descent stops; along a path, which only shows where to look, and
// for an answer.
constexpr double kPathTolerance = 1e-5;
constexpr double kTolerance = 1e-9;
// Steps of a path without a better BIC after which none is expected.
constexpr std::size_t kPatience = 20;
constexpr int kMaxSweeps = 10000;
constexpr double kLeastAlphaShare = 1e-3;
constexpr std::size_t kPathSteps = 100;

double shrink(double value, double by) {
  return value > by ? value - by : value < -by ? value + by : 0.0;
}

double violation(double correlation, double coefficient, double alpha) {
  if (coefficient == 0) return std::max(0.0, std::abs(correlation) - alpha);
  return std::abs(correlation - std::copysign(alpha, coefficient));
}

}  // namespace

Lasso::Lasso(const LinearSample& sample, const Context& context) : sample_(sample) {
  const LinearSample view = sample_.view();
  gram_ = weighted_gram(view.inputs, view.weights, context);
  moments_ = weighted_moments(view.inputs, view.weights, view.targets);
  double squares = 0;
  for (std::size_t r = 0; r < view.num_rows(); ++r) {
    target_square_ += view.weights[r] * view.targets[r] * view.targets[r];
    squares += view.weights[r] * view.weights[r];
  }
  for (double& value : gram_) value /= sample_.weight_sum;
  for (double& value : moments_) value /= sample_.weight_sum;
  target_square_ /= sample_.weight_sum;
  effective_rows_ = sample_.weight_sum * sample_.weight_sum / squares;
  for (const double moment : moments_) alpha_max_ = std::max(alpha_max_, std::abs(moment));
}

std::vector<double> Lasso::coefficients(double alpha, std::vector<double> start) const {
  return descend(alpha, std::move(start), kTolerance);
}

std::vector<double> Lasso::descend(double alpha, std::vector<double> start,
                                   double tolerance) const {
  std::vector<double> theta = std::move(start);
  const std::size_t size = theta.size();
  // correlations = moments - gram theta, kept up to date.
  std::vector<double> correlations = moments_;
  const auto add = [&](std::size_t j, double change) {
    const double* const row = &gram_[j * size];
    for (std::size_t i = 0; i < size; ++i) correlations[i] -= change * row[i];
  };
  for (std::size_t j = 0; j < size; ++j) {
    if (theta[j] != 0) add(j, theta[j]);
  }
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    for (std::size_t j = 0; j < size; ++j) {
      const double square = gram_[j * size + j];
      if (!(square > 0)) continue;  // a constant column
      const double next = shrink(correlations[j] + square * theta[j], alpha) / square;
      if (next == theta[j]) continue;
      add(j, next - theta[j]);
      theta[j] = next;
    }
    double worst = 0;
    for (std::size_t j = 0; j < size; ++j) {
      if (gram_[j * size + j] > 0) {
        worst = std::max(worst, violation(correlations[j], theta[j], alpha));
      }
    }
    if (worst <= tolerance * alpha_max_) break;
  }
  return theta;
}

LinearFit Lasso::fit(double alpha) const {
  return sample_.fit_of(coefficients(alpha, std::vector<double>(moments_.size())));
}

LinearFit Lasso::fit_by_bic() const {
  std::vector<double> theta(moments_.size());
  if (alpha_max_ == 0) return sample_.fit_of(std::move(theta));
  const double ratio = std::pow(kLeastAlphaShare, 1 / static_cast<double>(kPathSteps - 1));
  std::vector<double> best = theta;
  double best_alpha = alpha_max_;
  double least = bic(theta);
  std::size_t steps_since = 0;
  double alpha = alpha_max_;
  for (std::size_t step = 1; step < kPathSteps && steps_since < kPatience; ++step) {
    alpha *= ratio;
    ++steps_since;
    theta = descend(alpha, std::move(theta), kPathTolerance);
    const double next = bic(theta);
    if (!(next < least)) continue;
    least = next;
    best = theta;
    best_alpha = alpha;
    steps_since = 0;
  }
  return sample_.fit_of(coefficients(best_alpha, std::move(best)));
}

double Lasso::bic(std::span<const double> coefficients) const {
  const std::size_t size = moments_.size();
  double explained = 0;
  double num_used = 0;
  for (std::size_t j = 0; j < size; ++j) {
    if (coefficients[j] == 0) continue;
    ++num_used;
    double product = 0;
    for (std::size_t i = 0; i < size; ++i) product += gram_[j * size + i] * coefficients[i];
    explained += coefficients[j] * (2 * moments_[j] - product);
  }
  // A line through every point has no error; what rounding leaves of it must not count.
  const double error = std::max(target_square_ - explained, 1e-12 * target_square_);
  return effective_rows_ * std::log(error) + std::log(effective_rows_) * num_used;
}

}  // namespace glassrank
