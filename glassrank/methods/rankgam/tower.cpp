#include "glassrank/methods/rankgam/tower.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace glassrank {
namespace {

constexpr double kEpsilon = 1e-3;  // Keras' default

template <typename Scalar>
using Weights = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Sixteen values from one draw, a byte each.
template <typename Scalar>
void draw_sixteen(const CounterRandom& random, std::uint64_t counter, std::uint8_t threshold,
                  Scalar kept, Scalar* values) {
  const PhiloxBlock block = random.block(counter);
  std::array<std::uint8_t, 16> bytes;
  static_assert(sizeof(block) == sizeof(bytes));
  std::memcpy(bytes.data(), block.data(), sizeof(bytes));
  for (std::size_t j = 0; j < 16; ++j) values[j] = bytes[j] < threshold ? Scalar{0} : kept;
}

// Overwrites `factor` with 0 or 1 / (1 - chance).
template <typename Rows>
void draw_dropout(const CounterRandom& random, std::uint64_t layer, double chance, Rows& factor) {
  using Scalar = typename Rows::Scalar;
  const auto threshold = static_cast<std::uint8_t>(std::lround(chance * 256));
  const auto kept = static_cast<Scalar>(256.0 / (256.0 - threshold));
  Scalar* values = factor.data();
  const auto size = static_cast<std::size_t>(factor.size());
  const std::uint64_t first = layer << 40U;
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    draw_sixteen(random, first | i / 16, threshold, kept, values + i);
  }
  std::array<Scalar, 16> rest;
  draw_sixteen(random, first | i / 16, threshold, kept, rest.data());
  std::copy_n(rest.begin(), size - i, values + i);
}

// output = ReLU(normal * gamma + beta) * factor; where ReLU is 0 so becomes the factor.
template <typename Scalar>
void activate_row(const Scalar* normal, Scalar gamma, Scalar beta, std::size_t size,
                  Scalar* __restrict factor, Scalar* __restrict output) {
  for (std::size_t i = 0; i < size; ++i) {
    const Scalar value = normal[i] * gamma + beta;
    factor[i] = value > 0 ? factor[i] : Scalar{0};
    output[i] = value * factor[i];
  }
}

// Normalises each row in place; returns 1 / sqrt(variance + epsilon), notes mean and variance.
template <typename Rows>
Eigen::Array<typename Rows::Scalar, Eigen::Dynamic, 1> normalise(
    Rows& rows, typename Rows::Scalar* statistics) {
  using Scalar = typename Rows::Scalar;
  Eigen::Array<Scalar, Eigen::Dynamic, 1> inverse(rows.rows());
  for (Eigen::Index u = 0; u < rows.rows(); ++u) {
    const Scalar mean = rows.row(u).mean();
    rows.row(u) -= mean;
    const Scalar variance = rows.row(u).square().mean();
    inverse[u] = 1 / std::sqrt(variance + static_cast<Scalar>(kEpsilon));
    rows.row(u) *= inverse[u];
    statistics[2 * u] = mean;
    statistics[2 * u + 1] = variance;
  }
  return inverse;
}

// Gradients of gammas and betas from that of gamma * normal + beta, which becomes that of what was
// normalised.
template <typename Rows, typename Array>
void normalise_backward(const Rows& normal, const Array& inverse,
                        const typename Rows::Scalar* gamma, Rows& gradient,
                        typename Rows::Scalar* gamma_gradient,
                        typename Rows::Scalar* beta_gradient) {
  using Scalar = typename Rows::Scalar;
  const auto n = static_cast<Scalar>(normal.cols());
  for (Eigen::Index u = 0; u < normal.rows(); ++u) {
    gamma_gradient[u] = (gradient.row(u) * normal.row(u)).sum();
    beta_gradient[u] = gradient.row(u).sum();
    gradient.row(u) = (gamma[u] * inverse[u]) * (gradient.row(u) - beta_gradient[u] / n -
                                                 normal.row(u) * (gamma_gradient[u] / n));
  }
}

}  // namespace

template <typename Scalar>
struct Tower<Scalar>::Layout {
  std::size_t input_gamma, input_beta;
  std::size_t first_weights, first_gamma, first_beta;
  std::size_t second_weights, second_gamma, second_beta;
  std::size_t last_weights;
};

template <typename Scalar>
typename Tower<Scalar>::Layout Tower<Scalar>::layout() const {
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

template <typename Scalar>
Tower<Scalar>::Tower(const TowerShape& shape, RandomSequence random)
    : shape_(shape), parameters_(shape.num_parameters()), statistics_(shape.num_statistics()) {
  const Layout at = layout();
  const auto fill = [&](std::size_t begin, std::size_t count, std::size_t in, std::size_t out) {
    const double limit = std::sqrt(6.0 / static_cast<double>(in + out));
    for (std::size_t i = 0; i < count; ++i) {
      parameters_[begin + i] = static_cast<Scalar>(limit * (2 * random.uniform() - 1));
    }
  };
  parameters_[at.input_gamma] = 1;
  fill(at.first_weights, shape.first, 1, shape.first);
  std::fill_n(parameters_.begin() + at.first_gamma, shape.first, Scalar{1});
  fill(at.second_weights, shape.first * shape.second, shape.first, shape.second);
  std::fill_n(parameters_.begin() + at.second_gamma, shape.second, Scalar{1});
  fill(at.last_weights, shape.second, shape.second, 1);
}

template <typename Scalar>
void Tower<Scalar>::forward(std::span<const Scalar> x, const CounterRandom& dropout,
                            TowerPass<Scalar>& pass, std::span<Scalar> output) const {
  const Layout at = layout();
  const auto n = static_cast<Eigen::Index>(x.size());
  const auto u = static_cast<Eigen::Index>(shape_.first);
  const auto v = static_cast<Eigen::Index>(shape_.second);
  const Scalar* p = parameters_.data();
  pass.statistics.resize(shape_.num_statistics());

  pass.input_normal = Eigen::Map<const Rows>(x.data(), 1, n);
  normalise(pass.input_normal, pass.statistics.data());
  pass.input = pass.input_normal * p[at.input_gamma] + p[at.input_beta];

  const auto activate = [&](typename TowerPass<Scalar>::Layer& layer, std::size_t gamma,
                            std::size_t beta, std::size_t statistics, std::uint64_t number) {
    layer.inverse_deviation = normalise(layer.normal, pass.statistics.data() + statistics);
    layer.factor.resize(layer.normal.rows(), n);
    draw_dropout(dropout, number, shape_.dropout, layer.factor);
    layer.output.resize(layer.normal.rows(), n);
    for (Eigen::Index r = 0; r < layer.normal.rows(); ++r) {
      activate_row(layer.normal.row(r).data(), p[gamma + r], p[beta + r], x.size(),
                   layer.factor.row(r).data(), layer.output.row(r).data());
    }
  };
  pass.first.normal.resize(u, n);
  for (Eigen::Index r = 0; r < u; ++r) {
    pass.first.normal.row(r) = pass.input.row(0) * p[at.first_weights + r];
  }
  activate(pass.first, at.first_gamma, at.first_beta, 2, 0);
  pass.second.normal.resize(v, n);
  pass.second.normal.matrix().noalias() =
      Eigen::Map<const Weights<Scalar>>(p + at.second_weights, v, u) * pass.first.output.matrix();
  activate(pass.second, at.second_gamma, at.second_beta, 2 + 2 * shape_.first, 1);
  Eigen::Map<Weights<Scalar>>(output.data(), 1, n).noalias() =
      Eigen::Map<const Weights<Scalar>>(p + at.last_weights, 1, v) * pass.second.output.matrix();
}

template <typename Scalar>
void Tower<Scalar>::backward(std::span<const Scalar> output_gradient, TowerPass<Scalar>& pass,
                             std::span<Scalar> gradient) const {
  const Layout at = layout();
  const auto n = static_cast<Eigen::Index>(output_gradient.size());
  const auto u = static_cast<Eigen::Index>(shape_.first);
  const auto v = static_cast<Eigen::Index>(shape_.second);
  const Scalar* p = parameters_.data();
  Scalar* g = gradient.data();
  const Eigen::Map<const Rows> given(output_gradient.data(), 1, n);

  Eigen::Map<Weights<Scalar>>(g + at.last_weights, v, 1).noalias() =
      pass.second.output.matrix() * given.matrix().transpose();
  pass.gradient.resize(v, n);
  for (Eigen::Index r = 0; r < v; ++r) {
    pass.gradient.row(r) = given.row(0) * p[at.last_weights + r] * pass.second.factor.row(r);
  }
  normalise_backward(pass.second.normal, pass.second.inverse_deviation, p + at.second_gamma,
                     pass.gradient, g + at.second_gamma, g + at.second_beta);
  Eigen::Map<Weights<Scalar>>(g + at.second_weights, v, u).noalias() =
      pass.gradient.matrix() * pass.first.output.matrix().transpose();

  // The first layer's output is not needed any more: its place takes its gradient.
  Rows& first = pass.first.output;
  first.matrix().noalias() =
      Eigen::Map<const Weights<Scalar>>(p + at.second_weights, v, u).transpose() *
      pass.gradient.matrix();
  first *= pass.first.factor;
  normalise_backward(pass.first.normal, pass.first.inverse_deviation, p + at.first_gamma, first,
                     g + at.first_gamma, g + at.first_beta);
  g[at.input_gamma] = 0;
  g[at.input_beta] = 0;
  for (Eigen::Index r = 0; r < u; ++r) {
    g[at.first_weights + r] = (first.row(r) * pass.input.row(0)).sum();
    g[at.input_gamma] += p[at.first_weights + r] * (first.row(r) * pass.input_normal.row(0)).sum();
    g[at.input_beta] += p[at.first_weights + r] * first.row(r).sum();
  }
}

template <typename Scalar>
void Tower<Scalar>::remember(std::span<const Scalar> statistics, double momentum) {
  for (std::size_t i = 0; i < statistics_.size(); ++i) {
    statistics_[i] = momentum * statistics_[i] + (1 - momentum) * statistics[i];
  }
  statistics_weight_ = momentum * statistics_weight_ + (1 - momentum);
}

template <typename Scalar>
void Tower<Scalar>::score(std::span<const float> x, std::span<float> output) const {
  const Layout at = layout();
  const std::vector<double> p(parameters_.begin(), parameters_.end());
  // normal = x * scale - shift
  const auto norm = [&](std::size_t which) {
    const double mean = statistics_weight_ > 0 ? statistics_[2 * which] / statistics_weight_ : 0;
    const double variance =
        statistics_weight_ > 0 ? statistics_[2 * which + 1] / statistics_weight_ : 1;
    const double scale = 1 / std::sqrt(variance + kEpsilon);
    return std::pair(scale, mean * scale);
  };
  // Folded: hidden = max(0, slope * x + offset), then max(0, weights * hidden + offset).
  const std::size_t u = shape_.first;
  const std::size_t v = shape_.second;
  const auto [input_scale, input_shift] = norm(0);
  std::vector<double> slope(u), offset(u), weights(u * v), second_offset(v);
  for (std::size_t r = 0; r < u; ++r) {
    const auto [scale, shift] = norm(1 + r);
    const double weight = p[at.first_weights + r];
    const double gamma = p[at.first_gamma + r];
    slope[r] = gamma * scale * weight * p[at.input_gamma] * input_scale;
    offset[r] =
        gamma * (scale * weight * (p[at.input_beta] - p[at.input_gamma] * input_shift) - shift) +
        p[at.first_beta + r];
  }
  for (std::size_t s = 0; s < v; ++s) {
    const auto [scale, shift] = norm(1 + u + s);
    const double gamma = p[at.second_gamma + s];
    for (std::size_t r = 0; r < u; ++r) {
      weights[s * u + r] = gamma * scale * p[at.second_weights + s * u + r];
    }
    second_offset[s] = p[at.second_beta + s] - gamma * shift;
  }
  std::vector<double> hidden(u);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t r = 0; r < u; ++r) hidden[r] = std::max(0.0, slope[r] * x[i] + offset[r]);
    double sum = 0;
    for (std::size_t s = 0; s < v; ++s) {
      double z = second_offset[s];
      for (std::size_t r = 0; r < u; ++r) z += weights[s * u + r] * hidden[r];
      sum += p[at.last_weights + s] * std::max(0.0, z);
    }
    output[i] = static_cast<float>(sum);
  }
}

template class Tower<float>;
template class Tower<double>;

}  // namespace glassrank
