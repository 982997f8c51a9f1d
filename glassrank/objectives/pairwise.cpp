#include "glassrank/objectives/pairwise.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "glassrank/base/elementary.h"
#include "glassrank/base/error.h"
#include "glassrank/objectives/lambda_pairs.h"

namespace glassrank {
namespace {

// Exponentials of scores further apart than this could leave the range of numbers.
constexpr double kMostApart = 600;

}  // namespace

void Pairwise::all_pairs(const QueryView& query, ObjectiveScratch& scratch,
                         GradientView out) const {
  const std::size_t n = query.grades.size();
  // From the best grade down, in input order among equals.
  const std::span<std::uint64_t> order(scratch.words(n), n);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  const auto grade_of = [&](std::uint64_t document) { return query.grades[document]; };
  std::ranges::sort(order, [&](std::uint64_t a, std::uint64_t b) {
    return grade_of(a) != grade_of(b) ? grade_of(a) > grade_of(b) : a < b;
  });
  std::vector<double> doubles(3 * n, 0.0);
  const std::span<double> exponentials(doubles.data(),
                                       n);  // e^(sigma * score), up to a common factor
  const std::span<double> gradient(doubles.data() + n, n);
  const std::span<double> hessian(doubles.data() + 2 * n, n);
  const auto [least, most] = std::ranges::minmax(query.scores);
  const double middle = (least + most) / 2;
  for (std::size_t i = 0; i < n; ++i) {
    exponentials[i] = params_.sigma * (query.scores[order[i]] - middle);
  }
  portable_exp_all(exponentials);
  double total = 0;
  for (std::size_t i = 0, worse = 0; i < n; ++i) {
    if (query.is_stopped()) throw Error(ErrorKind::kInterrupted, "stopped at the user's request");
    while (worse < n && grade_of(order[worse]) == grade_of(order[i])) ++worse;
    const double high = exponentials[i];
    double sum = 0;
    double curvature = 0;
    for (std::size_t j = worse; j < n; ++j) {
      const double low = exponentials[j];
      const double chance = low / (low + high);  // 1 / (1 + exp(sigma * (s_high - s_low)))
      const double bend = chance - chance * chance;
      sum += chance;
      curvature += bend;
      gradient[j] += chance;
      hessian[j] += bend;
    }
    gradient[i] -= sum;
    hessian[i] += curvature;
    total += sum;
  }
  const double sigma = params_.sigma;
  const double norm = params_.norm ? query_norm(2 * sigma * total) : 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    out.gradient[order[i]] = static_cast<float>(sigma * gradient[i] * norm);
    out.hessian[order[i]] = static_cast<float>(sigma * sigma * hessian[i] * norm);
  }
}

void Pairwise::gradients(const QueryView& query, ObjectiveScratch& scratch,
                         GradientView out) const {
  const std::size_t num_tops = truncation_depth(params_.pair_truncation);
  if (!query.scores.empty() && num_tops >= query.scores.size() - 1) {
    const auto [least, most] = std::ranges::minmax(query.scores);
    if (params_.sigma * (most - least) <= kMostApart) return all_pairs(query, scratch, out);
  }
  pair_gradients(
      query, rank_order(query.scores),
      {.num_tops = num_tops, .sigma = params_.sigma, .norm_query = params_.norm},
      [](std::size_t, std::size_t) { return 1.0; }, out);
}

}  // namespace glassrank
