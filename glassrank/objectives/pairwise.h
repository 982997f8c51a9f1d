#pragma once
// RankNet's pairwise logistic loss (Burges et al. 2005):
//
//   loss of a query = sum over pairs of log(1 + exp(-sigma * (s_high - s_low)))
//
// over pairs with unequal grades of which one document ranks above pair_truncation (0: every pair;
// then the loss does not depend on ranks). How far apart grades or ranks are does not matter. With
// norm, gradients and hessians of a query are multiplied by log2(1 + S) / S (lambda_pairs.h).
// Cost: pair_truncation * documents per query, in double.

#include "glassrank/objectives/objective.h"

namespace glassrank {

struct PairwiseParams {
  bool norm = true;
  int pair_truncation = 30;
  double sigma = 1.0;
};

class Pairwise final : public Objective {
 public:
  explicit Pairwise(PairwiseParams params) : params_(params) {}

  void prepare(const ObjectiveData& /*data*/) override {}
  void gradients(const QueryView& query, ObjectiveScratch& scratch,
                 GradientView out) const override;

 private:
  // Where no pair is left out ranks do not matter: an exponential per document, a division a pair.
  void all_pairs(const QueryView& query, ObjectiveScratch& scratch, GradientView out) const;

  PairwiseParams params_;
};

}  // namespace glassrank
