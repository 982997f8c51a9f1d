#include "glassrank/math/lasso.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "glassrank/math/gram.h"

namespace glassrank {
namespace {

// Of alpha_max: where coordinate descent stops.
constexpr double kTolerance = 1e-9;
constexpr int kMaxSweeps = 10000;
constexpr double kLeastAlphaShare = 1e-3;

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
    if (worst <= kTolerance * alpha_max_) break;
  }
  return theta;
}

LinearFit Lasso::fit(double alpha) const {
  return sample_.fit_of(coefficients(alpha, std::vector<double>(moments_.size())));
}

std::vector<Lasso::Step> Lasso::path(std::size_t num_steps) const {
  std::vector<Step> steps;
  if (alpha_max_ == 0) return steps;
  const double ratio =
      num_steps < 2 ? 1 : std::pow(kLeastAlphaShare, 1 / static_cast<double>(num_steps - 1));
  std::vector<double> theta(moments_.size());
  double alpha = alpha_max_;
  for (std::size_t i = 0; i < num_steps; ++i, alpha *= ratio) {
    theta = coefficients(alpha, std::move(theta));
    steps.push_back({.alpha = alpha, .bic = bic(theta), .coefficients = theta});
  }
  return steps;
}

LinearFit Lasso::fit_by_bic() const {
  const std::vector<Step> steps = path();
  if (steps.empty()) return sample_.fit_of(std::vector<double>(moments_.size()));
  return sample_.fit_of(std::ranges::min_element(steps, {}, &Step::bic)->coefficients);
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
