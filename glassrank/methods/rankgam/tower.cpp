#include "glassrank/methods/rankgam/tower.h"

#include <algorithm>
#include <cmath>

namespace glassrank {
namespace {

constexpr double kEpsilon = 1e-3;  // Keras' default

double inverse_deviation(double variance) { return 1 / std::sqrt(variance + kEpsilon); }

// Dropout in 256ths.
std::uint8_t threshold_of(const TowerShape& shape) {
  return static_cast<std::uint8_t>(std::lround(shape.dropout * 256));
}
float kept_factor(std::uint8_t threshold) {
  return static_cast<float>(256.0 / (256.0 - threshold));
}

template <typename T>
void grow(Buffer<T>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer = Buffer<T>(size);
}

// A byte a unit and row: byte e mod 16 of block e / 16 under the layer's number.
void draw(const CounterRandom& random, std::uint64_t layer, std::size_t count,
          Buffer<std::uint8_t>& draws) {
  grow(draws, count + kTowerLanes);
  random.bytes(layer << 40U, draws.span().first(count));
}

TowerRows rows_of(const TowerPass& pass, std::uint8_t threshold) {
  return {.num_rows = pass.num_rows,
          .x = pass.x.data(),
          .first_draws = pass.first_draws.data(),
          .second_draws = pass.second_draws.data(),
          .threshold = threshold,
          .z = pass.z.data()};
}

}  // namespace

struct Tower::Layout {
  std::size_t input_gamma, input_beta;
  std::size_t first_weights, first_gamma, first_beta;
  std::size_t second_weights, second_gamma, second_beta;
  std::size_t last_weights;
};

Tower::Layout Tower::layout() const {
  const std::size_t u = shape_.first;
  const std::size_t v = shape_.second;
  const std::size_t second = 2 + 3 * u;
  return {.input_gamma = 0,
          .input_beta = 1,
          .first_weights = 2,
          .first_gamma = 2 + u,
          .first_beta = 2 + 2 * u,
          .second_weights = second,
          .second_gamma = second + u * v,
          .second_beta = second + u * v + v,
          .last_weights = second + u * v + 2 * v};
}

Tower::Tower(const TowerShape& shape, RandomSequence random)
    : shape_(shape), parameters_(shape.num_parameters()), statistics_(shape.num_statistics()) {
  const Layout at = layout();
  const auto fill = [&](std::size_t begin, std::size_t count, std::size_t in, std::size_t out) {
    const double limit = std::sqrt(6.0 / static_cast<double>(in + out));
    for (std::size_t i = 0; i < count; ++i) {
      parameters_[begin + i] = static_cast<float>(limit * (2 * random.uniform() - 1));
    }
  };
  parameters_[at.input_gamma] = 1;
  fill(at.first_weights, shape.first, 1, shape.first);
  std::fill_n(parameters_.begin() + at.first_gamma, shape.first, 1.0F);
  fill(at.second_weights, shape.first * shape.second, shape.first, shape.second);
  std::fill_n(parameters_.begin() + at.second_gamma, shape.second, 1.0F);
  fill(at.last_weights, shape.second, shape.second, 1);
}

void Tower::fold_first(const MeanAndVariance& input, TowerPass& pass) const {
  const Layout at = layout();
  const float* p = parameters_.data();
  const double inverse = inverse_deviation(input.variance);
  const double spread = input.variance * inverse * inverse;  // the normalised input's variance
  pass.first_inverses.resize(shape_.first);
  pass.statistics[0] = input.mean;
  pass.statistics[1] = input.variance;
  for (std::size_t r = 0; r < shape_.first; ++r) {
    const double weight = p[at.first_weights + r];
    const double slope = weight * p[at.input_gamma];
    const double variance = slope * slope * spread;
    pass.first_inverses[r] = inverse_deviation(variance);
    pass.statistics[2 * (1 + r)] = weight * p[at.input_beta];
    pass.statistics[2 * (1 + r) + 1] = variance;
    pass.folded.slopes[r] =
        static_cast<float>(p[at.first_gamma + r] * slope * pass.first_inverses[r]);
    pass.folded.offsets[r] = p[at.first_beta + r];
  }
}

void Tower::fold_second(float kept, FoldedTower& folded) const {
  const Layout at = layout();
  const float* p = parameters_.data();
  for (std::size_t i = 0; i < folded.weights.size(); ++i) {
    folded.weights[i] = p[at.second_weights + i] * kept;
  }
  for (std::size_t s = 0; s < shape_.second; ++s) {
    folded.gammas[s] = p[at.second_gamma + s];
    folded.betas[s] = p[at.second_beta + s];
    folded.last[s] = p[at.last_weights + s] * kept;
  }
}

void Tower::forward(std::span<const float> x, const CounterRandom& dropout, TowerPass& pass,
                    std::span<float> output) const {
  const std::uint8_t threshold = threshold_of(shape_);
  const std::size_t n = x.size();
  pass.num_rows = n;
  pass.statistics.resize(shape_.num_statistics());
  pass.folded.resize(shape_.first, shape_.second);
  grow(pass.x, padded_rows(n));
  grow(pass.z, shape_.second * padded_rows(n));
  draw(dropout, 0, shape_.first * n, pass.first_draws);
  draw(dropout, 1, shape_.second * n, pass.second_draws);

  const MeanAndVariance input = mean_and_variance(x);
  normalise_rows(x, input.mean, inverse_deviation(input.variance), pass.x.data());
  fold_first(input, pass);
  fold_second(kept_factor(threshold), pass.folded);
  const TowerRows rows = rows_of(pass, threshold);
  std::vector<double> sums(shape_.second);
  double* statistics = pass.statistics.data() + 2 * (1 + shape_.first);
  sum_second_inputs(pass.folded, rows, pass.z.data(), sums);
  for (std::size_t s = 0; s < shape_.second; ++s) {
    statistics[2 * s] = sums[s] / static_cast<double>(n);
    pass.folded.means[s] = static_cast<float>(statistics[2 * s]);
  }
  sum_second_squares(pass.folded, rows, sums);
  for (std::size_t s = 0; s < shape_.second; ++s) {
    statistics[2 * s + 1] = sums[s] / static_cast<double>(n);
    pass.folded.inverses[s] = static_cast<float>(inverse_deviation(statistics[2 * s + 1]));
  }
  tower_outputs(pass.folded, rows, output);
}

void Tower::backward(std::span<const float> output_gradient, const TowerPass& pass,
                     std::span<float> gradient) const {
  const Layout at = layout();
  const auto n = static_cast<double>(pass.num_rows);
  const FoldedTower& folded = pass.folded;
  const std::uint8_t threshold = threshold_of(shape_);
  const double kept = kept_factor(threshold);
  const TowerRows rows = rows_of(pass, threshold);
  ActiveSums active;
  sum_active(folded, rows, output_gradient, active);
  SecondGradient second;
  for (std::size_t s = 0; s < shape_.second; ++s) {
    const double gamma = folded.gammas[s];
    const double beta_gradient = folded.last[s] * active.plain[s];
    const double gamma_gradient = folded.last[s] * active.normal[s];
    gradient[at.last_weights + s] =
        static_cast<float>(kept * (gamma * active.normal[s] + folded.betas[s] * active.plain[s]));
    gradient[at.second_beta + s] = static_cast<float>(beta_gradient);
    gradient[at.second_gamma + s] = static_cast<float>(gamma_gradient);
    const double scale = gamma * folded.inverses[s];
    second.scales.push_back(static_cast<float>(scale * folded.last[s]));
    second.slopes.push_back(static_cast<float>(scale * gamma_gradient / n));
    second.shifts.push_back(static_cast<float>(scale * beta_gradient / n));
  }
  FirstSums sums;
  sum_first(folded, rows, output_gradient, second, sums);
  for (std::size_t i = 0; i < sums.weights.size(); ++i) {
    gradient[at.second_weights + i] = static_cast<float>(kept * sums.weights[i]);
  }
  back_to_first(sums, pass, gradient);
}

// Batch norm takes away what a unit's weight does to its scale, all but what epsilon leaves: the
// gradient of what was normalised, d_i = gamma / deviation (g_i - mean g - normal_i mean(g
// normal)), has the sum 0, and sum of d x = gamma epsilon / deviation^3 * sum of g x.
void Tower::back_to_first(const FirstSums& sums, const TowerPass& pass,
                          std::span<float> gradient) const {
  const Layout at = layout();
  const float* p = parameters_.data();
  const double input_gamma = p[at.input_gamma];
  double input_gradient = 0;
  for (std::size_t r = 0; r < shape_.first; ++r) {
    const double weight = p[at.first_weights + r];
    const double inverse = pass.first_inverses[r];
    const double by_x = p[at.first_gamma + r] * kEpsilon * inverse * inverse * inverse * sums.x[r];
    gradient[at.first_beta + r] = static_cast<float>(sums.plain[r]);
    gradient[at.first_gamma + r] = static_cast<float>(input_gamma * weight * inverse * sums.x[r]);
    gradient[at.first_weights + r] = static_cast<float>(input_gamma * by_x);
    input_gradient += weight * by_x;
  }
  gradient[at.input_gamma] = static_cast<float>(input_gradient);
  gradient[at.input_beta] = 0;
}

void Tower::remember(std::span<const double> statistics, double momentum) {
  for (std::size_t i = 0; i < statistics_.size(); ++i) {
    statistics_[i] = momentum * statistics_[i] + (1 - momentum) * statistics[i];
  }
  statistics_weight_ = momentum * statistics_weight_ + (1 - momentum);
}

void Tower::score(std::span<const float> x, std::span<float> output) const {
  const Layout at = layout();
  const float* p = parameters_.data();
  const auto statistics = [&](std::size_t which) -> MeanAndVariance {
    if (statistics_weight_ == 0) return {.mean = 0, .variance = 1};
    return {.mean = statistics_[2 * which] / statistics_weight_,
            .variance = statistics_[2 * which + 1] / statistics_weight_};
  };
  FoldedTower folded;
  folded.resize(shape_.first, shape_.second);
  fold_second(1, folded);
  for (std::size_t r = 0; r < shape_.first; ++r) {
    const auto [mean, variance] = statistics(1 + r);
    const double weight = p[at.first_weights + r];
    const double scale = p[at.first_gamma + r] * inverse_deviation(variance);
    folded.slopes[r] = static_cast<float>(scale * weight * p[at.input_gamma]);
    folded.offsets[r] =
        static_cast<float>(scale * (weight * p[at.input_beta] - mean) + p[at.first_beta + r]);
  }
  for (std::size_t s = 0; s < shape_.second; ++s) {
    const auto [mean, variance] = statistics(1 + shape_.first + s);
    folded.means[s] = static_cast<float>(mean);
    folded.inverses[s] = static_cast<float>(inverse_deviation(variance));
  }
  const auto [mean, variance] = statistics(0);
  Buffer<float> normal(padded_rows(x.size()));
  normalise_rows(x, mean, inverse_deviation(variance), normal.data());
  tower_scores(folded, normal.data(), output);
}

}  // namespace glassrank
