#include "glassrank/objectives/lambdarank.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "glassrank/metrics/gain.h"
#include "glassrank/objectives/lambdarank_kernel.h"

namespace glassrank {
namespace {

// exp(sigma * score) must neither overflow nor vanish for any document of the query.
constexpr double kLargestExponent = 80.0;
constexpr double kDistanceFloor = 0.01;
constexpr std::size_t kGainTableSize = 32;

double ideal_dcg(std::span<const float> grades, std::size_t truncation) {
  std::vector<float> sorted(grades.begin(), grades.end());
  const std::size_t depth = std::min(truncation, sorted.size());
  std::partial_sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(depth),
                    sorted.end(), std::greater<>());
  double sum = 0;
  for (std::size_t r = 0; r < depth; ++r) sum += exponential_gain(sorted[r]) * discount(r);
  return sum;
}

std::size_t depth_or_all(int truncation) {
  return truncation == 0 ? std::numeric_limits<std::size_t>::max()
                         : static_cast<std::size_t>(truncation);
}

// log2(1 + S) / S: keeps queries with many pairs from drowning the others.
double query_norm(double total) { return total > 0 ? std::log2(1.0 + total) / total : 1.0; }

}  // namespace

void LambdarankParams::visit(ParamVisitor& visitor) {
  visitor.field("norm", norm, "LightGBM's normalisation: by score distance and per query");
  visitor.field("pair_truncation", pair_truncation,
                "pairs need a document ranked above this; 0 uses every pair", kNotNegative);
  visitor.field("ideal_truncation", ideal_truncation,
                "cutoff of the ideal DCG; -1 as pair_truncation, 0 the whole list",
                Range{.low = -1});
  visitor.field("sigma", sigma, "steepness of the pairwise logistic", kPositive);
}

void Lambdarank::prepare(std::span<const float> grades, const QueryGroups& queries) {
  const std::size_t truncation = depth_or_all(
      params_.ideal_truncation < 0 ? params_.pair_truncation : params_.ideal_truncation);
  inverse_ideal_.resize(queries.num_queries());
  for (std::size_t q = 0; q < queries.num_queries(); ++q) {
    const RowRange rows = queries.rows(q);
    const double ideal = ideal_dcg(grades.subspan(rows.begin, rows.size()), truncation);
    inverse_ideal_[q] = ideal > 0 ? 1.0 / ideal : 0.0;
  }
  const bool small = std::ranges::all_of(
      grades, [](float g) { return g >= 0 && g < float{kGainTableSize} && g == std::floor(g); });
  gains_.resize(small ? kGainTableSize : 0);
  for (std::size_t g = 0; g < gains_.size(); ++g) {
    gains_[g] = exponential_gain(static_cast<double>(g));
  }
  discounts_.resize(queries.largest() + kLambdaPadding);
  for (std::size_t r = 0; r < discounts_.size(); ++r)
    discounts_[r] = static_cast<float>(discount(r));
}

// Gains in rank order, divided by the ideal DCG.
void Lambdarank::scaled_gains(std::span<const float> grades, double inverse_ideal,
                              std::span<const std::uint32_t> order, float* out) const {
  if (gains_.empty()) {
    for (std::size_t r = 0; r < order.size(); ++r) {
      out[r] = static_cast<float>(exponential_gain(grades[order[r]]) * inverse_ideal);
    }
    return;
  }
  float scaled[kGainTableSize];
  for (std::size_t g = 0; g < kGainTableSize; ++g) {
    scaled[g] = static_cast<float>(gains_[g] * inverse_ideal);
  }
  for (std::size_t r = 0; r < order.size(); ++r) {
    out[r] = scaled[static_cast<std::uint32_t>(grades[order[r]])];
  }
}

void Lambdarank::gradients(const QueryView& query, ObjectiveScratch& scratch,
                           GradientView out) const {
  const std::size_t n = query.grades.size();
  const double inverse_ideal = inverse_ideal_[query.query];
  if (n < 2 || inverse_ideal == 0) {
    std::ranges::fill(out.gradient, 0.0F);
    std::ranges::fill(out.hessian, 0.0F);
    return;
  }
  const auto [lowest, highest] = score_range(query.scores);
  const double middle = 0.5 * (lowest + highest);
  if (params_.sigma * (highest - middle) > kLargestExponent) {
    plain_gradients(query, out);
    return;
  }

  // Whole multiples of the padding keep every array aligned.
  const std::size_t width = (n / kLambdaPadding + 2) * kLambdaPadding;
  float* keys = scratch.floats(6 * width);
  float* scores = keys + width;
  float* gains = scores + width;
  float* exponentials = gains + width;
  float* lambdas = exponentials + width;
  float* hessians = lambdas + width;
  std::uint64_t* sorted = scratch.words(2 * width);
  auto* order = reinterpret_cast<std::uint32_t*>(sorted + width);

  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = static_cast<float>(params_.sigma * (query.scores[i] - middle));
  }
  rank_descending({keys, n}, sorted, order);
  for (std::size_t r = 0; r < n; ++r) scores[r] = keys[order[r]];
  scaled_gains(query.grades, inverse_ideal, {order, n}, gains);
  // Values read beyond the last document take part in no sum, but must not be signalling rubbish.
  std::fill_n(scores + n, kLambdaPadding, 0.0F);
  std::fill_n(gains + n, kLambdaPadding, 0.0F);
  std::fill_n(exponentials + n, kLambdaPadding, 1.0F);
  std::fill_n(lambdas + n, kLambdaPadding, 0.0F);
  std::fill_n(hessians + n, kLambdaPadding, 0.0F);

  const bool by_distance = params_.norm && lowest != highest;
  const double total =
      compute_lambdas({.num_documents = n,
                       .num_tops = std::min(n - 1, depth_or_all(params_.pair_truncation)),
                       .scores = scores,
                       .gains = gains,
                       .discounts = discounts_.data(),
                       .exponentials = exponentials,
                       .lambdas = lambdas,
                       .hessians = hessians,
                       .distance_floor = by_distance ? static_cast<float>(kDistanceFloor) : 0.0F,
                       .inverse_sigma = static_cast<float>(1.0 / params_.sigma)});
  const double norm = params_.norm ? query_norm(params_.sigma * total) : 1.0;
  const auto gradient_scale = static_cast<float>(params_.sigma * norm);
  const auto hessian_scale = static_cast<float>(params_.sigma * params_.sigma * norm);
  for (std::size_t r = 0; r < n; ++r) {
    out.gradient[order[r]] = lambdas[r] * gradient_scale;
    out.hessian[order[r]] = hessians[r] * hessian_scale;
  }
}

void Lambdarank::plain_gradients(const QueryView& query, GradientView out) const {
  const std::size_t n = query.grades.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(-query.scores[i], i); });
  std::vector<double> gradient(n);
  std::vector<double> hessian(n);
  const double inverse_ideal = inverse_ideal_[query.query];
  const auto [lowest, highest] = std::ranges::minmax(query.scores);
  const std::size_t num_tops = n < 2 ? 0 : std::min(n - 1, depth_or_all(params_.pair_truncation));
  double total = 0;
  for (std::size_t i = 0; i < num_tops; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      std::size_t high = order[i];
      std::size_t low = order[j];
      if (query.grades[high] == query.grades[low]) continue;
      if (query.grades[high] < query.grades[low]) std::swap(high, low);
      double delta = (exponential_gain(query.grades[high]) - exponential_gain(query.grades[low])) *
                     (discount(i) - discount(j)) * inverse_ideal;
      const double gap = query.scores[high] - query.scores[low];
      if (params_.norm && lowest != highest) delta /= kDistanceFloor + std::abs(gap);
      const double chance = 1.0 / (1.0 + std::exp(params_.sigma * gap));
      const double lambda = params_.sigma * delta * chance;
      gradient[high] -= lambda;
      gradient[low] += lambda;
      const double curvature = params_.sigma * params_.sigma * delta * chance * (1.0 - chance);
      hessian[high] += curvature;
      hessian[low] += curvature;
      total += 2 * lambda;
    }
  }
  const double norm = params_.norm ? query_norm(total) : 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    out.gradient[i] = static_cast<float>(gradient[i] * norm);
    out.hessian[i] = static_cast<float>(hessian[i] * norm);
  }
}

}  // namespace glassrank
