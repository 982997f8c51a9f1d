#pragma once
// LambdaRank gradients (Burges 2010) of NDCG or another metric, with LightGBM's normalisation as a
// switch.
//
// Documents in order of score, ranks i < j, gains G, discounts D, s = score, pairs with i below
// pair_truncation and unequal gains; "high" is the document with the larger grade:
//   G      = 2^grade - 1, or another gain
//   delta  = |G_i - G_j| * |D_i - D_j| / idealDCG@ideal_truncation
//   norm:    delta /= 0.01 + |s_i - s_j|         (unless every score of the query is equal)
//   p      = 1 / (1 + exp(sigma * (s_high - s_low)))
//   lambda = sigma * delta * p;          gradient of high -= lambda, of low += lambda
//   hessian of both += sigma^2 * delta * p * (1 - p)
//   norm:    both times log2(1 + S) / S, S = sum of lambda over both ends of every pair
// norm on is LightGBM's lambdarank ("lambda-LGBM"), off is the plain one ("lambda-MART"). Discounts
// are real ones beyond the truncation too. A query without gain has zero gradients.
// Scores are ranked and compared in float32 after subtracting the query's middle score; equal ones
// stay in input order. Cost: pair_truncation * documents per query, vectorised.
//
// With another `target` delta is |change of that metric| when the two documents are exchanged
// (metrics/swap_delta.h), on the documents that take part in the round, ranked in double. Any
// metric but those that need scores will do: map, mrr, err and ndcg@k cost O(1) a pair (ndcg@k is
// cut off exactly, unlike ndcg with a truncation), others one evaluation a pair.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/metrics/dcg.h"
#include "glassrank/metrics/gain.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/objectives/objective.h"

namespace glassrank {

struct LambdarankParams {
  bool norm = true;
  int pair_truncation = 30;   // 0: every pair
  int ideal_truncation = -1;  // -1: as pair_truncation; 0: the whole list
  double sigma = 1.0;
  std::string target = "ndcg";  // a metric
  Gain gain = {};               // of grades in it; what is watched decides (methods, objective_of)

  void visit(ParamVisitor& visitor);
};

class Lambdarank final : public Objective {
 public:
  // Throws Error{kUsage} for a target that is no metric or needs scores.
  explicit Lambdarank(LambdarankParams params);

  void prepare(const ObjectiveData& data) override;
  void gradients(const QueryView& query, ObjectiveScratch& scratch,
                 GradientView out) const override;
  // The same for any grades that occur in the training set: the ideal DCG is that of the list
  // itself, not that of the query in the training set.
  void gradients_of_list(const QueryView& list, ObjectiveScratch& scratch, GradientView out) const;
  // The definition, pair by pair in double: what other targets than ndcg use, the oracle of the
  // fast path, and its replacement where scores of one query span too much for one exponential per
  // document.
  void plain_gradients(const QueryView& query, GradientView out) const;
  void plain_gradients_of_list(const QueryView& list, GradientView out) const;

 private:
  double inverse_ideal(std::span<const float> grades) const;
  double inverse_ideal_of_query(std::size_t query) const;
  void fast_gradients(const QueryView& query, double inverse_ideal, ObjectiveScratch& scratch,
                      GradientView out) const;
  void pairwise_gradients(const QueryView& query, double inverse_ideal, GradientView out) const;
  void scaled_gains(std::span<const float> grades, double inverse_ideal,
                    std::span<const std::uint32_t> order, float* out) const;
  void prepare_ndcg(const ObjectiveData& data);
  std::unique_ptr<SwapDeltas> swap_deltas(double inverse_ideal, const Ranking& ranking) const;

  LambdarankParams params_;
  std::unique_ptr<Metric> target_;     // null: ndcg, by the members below
  Dcg dcg_;                            // with discounts at every rank
  Dcg ideal_dcg_;                      // of ideal_truncation
  std::vector<double> inverse_ideal_;  // per query; 0 without gain
  std::vector<float> discounts_;       // up to the longest query, padded for whole vectors
  std::vector<double> gains_;          // by grade, when all are small whole numbers; else empty
};

}  // namespace glassrank
