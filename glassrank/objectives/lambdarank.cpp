#include "glassrank/objectives/lambdarank.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/metrics/gain.h"
#include "glassrank/metrics/registry.h"
#include "glassrank/metrics/swap_delta.h"
#include "glassrank/objectives/lambda_pairs.h"
#include "glassrank/objectives/lambdarank_kernel.h"
#include "glassrank/objectives/rank_kernel.h"

namespace glassrank {
namespace {

// exp(sigma * score) must neither overflow nor vanish for any document of the query.
constexpr double kLargestExponent = 80.0;
constexpr std::size_t kGainTableSize = 32;

// Null for ndcg over the whole list, which has a kernel of its own.
std::unique_ptr<Metric> make_target(const std::string& text, const Gain& gain) {
  const MetricSpec spec = parse_metric(text);
  if (spec == MetricSpec{.name = "ndcg"}) return nullptr;
  std::unique_ptr<Metric> metric = make_metric(spec, {.gain = gain.kind, .gain_table = gain.table});
  if (metric->needs_tie_groups()) {
    fail(ErrorKind::kUsage,
         "target {} depends on scores, not only on the order; choose ndcg, map, mrr or err", text);
  }
  return metric;
}

// Refuses grades the metric cannot use.
void check_grades(const Metric& metric, const ObjectiveData& data) {
  for (std::size_t q = 0; q < data.queries.num_queries(); ++q) {
    const RowRange rows = data.queries.rows(q);
    const auto grades = data.grades.subspan(rows.begin, rows.size());
    try {
      metric.evaluate({.grades = grades, .listed = grades});
    } catch (Error& error) {
      error.add_context(fmt::format("query {}", data.queries.id(q)));
      throw;
    }
  }
}

}  // namespace

void LambdarankParams::visit(ParamVisitor& visitor) {
  visitor.section("advanced");
  visitor.field(
      "norm", norm,
      "lambdarank, peer: LightGBM's normalisation, by score distance and per query; pairwise: "
      "per query");
  visitor.field(
      "pair_truncation", pair_truncation,
      "lambdarank, peer, pairwise: pairs need a document ranked above this; 0 uses every pair",
      kNotNegative);
  visitor.field("ideal_truncation", ideal_truncation,
                "lambdarank, peer with target ndcg: cutoff of the ideal DCG; -1 is "
                "pair_truncation, 0 the whole list",
                Range{.low = -1});
  visitor.field("sigma", sigma, "lambdarank, peer, pairwise: steepness of the pairwise logistic",
                kPositive);
  visitor.field("target", target,
                "lambdarank, peer: metric whose change weights a pair: ndcg, map, mrr, err or "
                "another one, with or without a cutoff");
}

Lambdarank::Lambdarank(LambdarankParams params)
    : params_(std::move(params)),
      target_(make_target(params_.target, params_.gain)),
      dcg_(params_.gain, kNoCutoff),
      ideal_dcg_(params_.gain,
                 truncation_depth(params_.ideal_truncation < 0 ? params_.pair_truncation
                                                               : params_.ideal_truncation)) {}

void Lambdarank::prepare(const ObjectiveData& data) {
  if (target_ != nullptr) {
    agree(data.communicator, [&] { check_grades(*target_, data); });
  } else {
    prepare_ndcg(data);
  }
}

double Lambdarank::inverse_ideal(std::span<const float> grades) const {
  if (target_ != nullptr) return 1.0;
  const double ideal = ideal_dcg_.ideal(grades);
  return ideal > 0 ? 1.0 / ideal : 0.0;
}

double Lambdarank::inverse_ideal_of_query(std::size_t query) const {
  return target_ != nullptr ? 1.0 : inverse_ideal_[query];
}

void Lambdarank::prepare_ndcg(const ObjectiveData& data) {
  inverse_ideal_.resize(data.queries.num_queries());
  agree(data.communicator, [&] {
    for (std::size_t q = 0; q < data.queries.num_queries(); ++q) {
      const RowRange rows = data.queries.rows(q);
      inverse_ideal_[q] = inverse_ideal(data.grades.subspan(rows.begin, rows.size()));
    }
  });
  const bool own_small = std::ranges::all_of(data.grades, [](float g) {
    return g >= 0 && g < float{kGainTableSize} && g == std::floor(g);
  });
  const bool small = !any_machine(data.communicator, !own_small);
  double most[] = {data.grades.empty() ? 0.0 : std::ranges::max(data.grades)};
  if (small) data.communicator.max(most);
  const auto highest = static_cast<float>(most[0]);
  gains_.resize(small ? kGainTableSize : 0);
  for (std::size_t g = 0; g < gains_.size(); ++g) {
    // A table of gains ends with the highest grade.
    gains_[g] = params_.gain(std::min(static_cast<double>(g), std::max(double{highest}, 0.0)));
  }
  discounts_.resize(data.queries.largest() + kLambdaPadding);
  for (std::size_t r = 0; r < discounts_.size(); ++r)
    discounts_[r] = static_cast<float>(discount(r));
}

// Gains in rank order, divided by the ideal DCG.
void Lambdarank::scaled_gains(std::span<const float> grades, double inverse_ideal,
                              std::span<const std::uint32_t> order, float* out) const {
  if (gains_.empty()) {
    for (std::size_t r = 0; r < order.size(); ++r) {
      out[r] = static_cast<float>(params_.gain(grades[order[r]]) * inverse_ideal);
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
  fast_gradients(query, inverse_ideal_of_query(query.query), scratch, out);
}

void Lambdarank::gradients_of_list(const QueryView& list, ObjectiveScratch& scratch,
                                   GradientView out) const {
  fast_gradients(list, inverse_ideal(list.grades), scratch, out);
}

void Lambdarank::fast_gradients(const QueryView& query, double inverse_ideal,
                                ObjectiveScratch& scratch, GradientView out) const {
  if (target_ != nullptr) {
    pairwise_gradients(query, inverse_ideal, out);
    return;
  }
  const std::size_t n = query.grades.size();
  if (n < 2 || inverse_ideal == 0) {
    std::ranges::fill(out.gradient, 0.0F);
    std::ranges::fill(out.hessian, 0.0F);
    return;
  }
  const auto [lowest, highest] = score_range(query.scores);
  const double middle = 0.5 * (lowest + highest);
  if (params_.sigma * (highest - middle) > kLargestExponent) {
    pairwise_gradients(query, inverse_ideal, out);
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
                       .num_tops = std::min(n - 1, truncation_depth(params_.pair_truncation)),
                       .scores = scores,
                       .gains = gains,
                       .discounts = discounts_.data(),
                       .exponentials = exponentials,
                       .lambdas = lambdas,
                       .hessians = hessians,
                       .distance_floor = by_distance ? static_cast<float>(kDistanceFloor) : 0.0F,
                       .inverse_sigma = static_cast<float>(1.0 / params_.sigma),
                       .stop = query.stop});
  if (query.is_stopped()) throw Error(ErrorKind::kInterrupted, "stopped at the user's request");
  const double norm = params_.norm ? query_norm(params_.sigma * total) : 1.0;
  const auto gradient_scale = static_cast<float>(params_.sigma * norm);
  const auto hessian_scale = static_cast<float>(params_.sigma * params_.sigma * norm);
  for (std::size_t r = 0; r < n; ++r) {
    out.gradient[order[r]] = lambdas[r] * gradient_scale;
    // Where a pair is settled, its p (1 - p) can come out a rounding below 0.
    out.hessian[order[r]] = std::max(hessians[r], 0.0F) * hessian_scale;
  }
}

std::unique_ptr<SwapDeltas> Lambdarank::swap_deltas(double inverse_ideal,
                                                    const Ranking& ranking) const {
  return target_ != nullptr ? target_->swap_deltas(ranking)
                            : dcg_.swap_deltas(ranking, inverse_ideal);
}

void Lambdarank::plain_gradients(const QueryView& query, GradientView out) const {
  pairwise_gradients(query, inverse_ideal_of_query(query.query), out);
}

void Lambdarank::plain_gradients_of_list(const QueryView& list, GradientView out) const {
  pairwise_gradients(list, inverse_ideal(list.grades), out);
}

void Lambdarank::pairwise_gradients(const QueryView& query, double inverse_ideal,
                                    GradientView out) const {
  const std::vector<std::uint32_t> order = rank_order(query.scores);
  std::vector<float> grades(order.size());
  for (std::size_t r = 0; r < order.size(); ++r) grades[r] = query.grades[order[r]];
  const auto deltas = swap_deltas(inverse_ideal, {.grades = grades, .listed = grades});
  pair_gradients(
      query, order,
      {.num_tops = truncation_depth(params_.pair_truncation),
       .sigma = params_.sigma,
       .norm_distance = params_.norm,
       .norm_query = params_.norm},
      [&](std::size_t i, std::size_t j) { return std::abs(deltas->change(i, j)); }, out);
}

}  // namespace glassrank
