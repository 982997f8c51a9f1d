#pragma once
// Gradients made of pairs, in plain loops and double: what lambdarank and pairwise share.
//
// Documents in order of score, ranks i < j, pairs with i above the truncation and unequal grades;
// "high" is the document with the larger grade:
//   p      = 1 / (1 + exp(sigma * (s_high - s_low)))       the chance given to the wrong order
//   lambda = sigma * weight(i, j) * p        gradient of high -= lambda, of low += lambda
//   hessian of both += sigma^2 * weight(i, j) * p * (1 - p)
// With weight 1 this is the gradient of the sum of log(1 + exp(-sigma * (s_high - s_low))), and
// the diagonal of its second derivative.
// Cost: truncation * documents of the query, and what weight() costs.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/function_ref.h"
#include "glassrank/objectives/objective.h"

namespace glassrank {

// 0 means every rank.
std::size_t truncation_depth(int truncation);

// order[r] = index of the document at rank r; equal scores stay in input order.
std::vector<std::uint32_t> rank_order(std::span<const double> scores);

// LightGBM's factor of a query whose lambdas, both ends of every pair, add up to `total`:
// log2(1 + total) / total. Keeps queries with many pairs from drowning the others.
double query_norm(double total);

struct PairRules {
  std::size_t num_tops = 0;  // ranks above the truncation
  double sigma = 1;
  bool norm_distance = false;  // divide weights by 0.01 + |s_i - s_j|, unless all scores are equal
  bool norm_query = false;     // times query_norm
};
inline constexpr double kDistanceFloor = 0.01;

// `order` is rank_order of the query's scores; weight(i, j) is asked for ranks i < j.
void pair_gradients(const QueryView& query, std::span<const std::uint32_t> order,
                    const PairRules& rules, FunctionRef<double(std::size_t, std::size_t)> weight,
                    GradientView out);

}  // namespace glassrank
