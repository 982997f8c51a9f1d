#pragma once
// XE-NDCG (Bruch, "An Alternative Cross Entropy Loss for Learning-to-Rank", 2021), as LightGBM's
// rank_xendcg computes it. For the documents of a query, scores s, grades y:
//
//   rho = softmax(s);   phi_i = 2^y_i - gamma_i, gamma_i uniform in [0, 1);   p = phi / sum(phi)
//   loss = -sum of p_i * log(rho_i)
//   hessian_i  = rho_i * (1 - rho_i), the diagonal of the second derivative H = D - R,
//   gradient   = (1 + R D^-1 + (R D^-1)^2) (rho - p), where R_ij = rho_i * rho_j off the diagonal
//
// The three terms of `gradient` are the beginning of the series of D H^-1 (rho - p): the step
// -gradient / hessian is nearly Newton's step with the full H. Draws are new every round: pure
// functions of (seed, round, query, place in the list), so they do not depend on threads. There is
// no truncation. A query of one document has zero gradients. Cost: linear.

#include <cstdint>

#include "glassrank/objectives/objective.h"

namespace glassrank {

class RankXendcg final : public Objective {
 public:
  explicit RankXendcg(std::uint64_t seed) : seed_(seed) {}

  // Throws Error{kInput} for a grade so large that 2^grade overflows.
  void prepare(const ObjectiveData& data) override;
  void gradients(const QueryView& query, ObjectiveScratch& scratch,
                 GradientView out) const override;

 private:
  std::uint64_t seed_;
  std::size_t first_query_ = 0;  // its number among the queries of all machines
};

// The uniform draw of a document of a query of all machines, for tests.
double xendcg_gamma(std::uint64_t seed, const QueryView& query, std::size_t document);

}  // namespace glassrank
