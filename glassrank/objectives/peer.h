#pragma once
// Peer-lambda: lambdarank that also unlearns what random grades would teach (the peer loss of Liu
// and Guo, ICML 2020, carried over to lambdas; a baseline of the SOUR paper).
//
//   gradient = lambda(y) - alpha * lambda(y~)          hessian = that of lambda(y)
// y are the grades, y~ grades drawn for every document from the distribution of all training
// grades, anew each round; lambda() is lambdarank (lambdarank.h) with the same scores, truncations,
// norm (each part by itself) and target. The ideal DCG of the second part is that of the drawn
// list. What a model would say whatever the labels cancels out; what it says because of them stays.
// With alpha = 0 it is lambdarank, to the bit.
//
// The hessian is the first part's alone since a difference of hessians may be negative; a document
// in no pair of the first part has a gradient and no hessian, which min_leaf_hessian keeps in
// check. A draw is a pure function of (seed, round, query, place in the round's list).
// Weights and sampled lists are the booster's affair and apply to both parts alike.
// Cost: twice lambdarank.

#include <cstdint>

#include "glassrank/base/params.h"
#include "glassrank/objectives/grade_distribution.h"
#include "glassrank/objectives/lambdarank.h"
#include "glassrank/objectives/objective.h"

namespace glassrank {

struct PeerParams {
  double alpha = 0.1;  // chosen by measuring: bench/results/choices.md

  void visit(ParamVisitor& visitor);
};

class Peer final : public Objective {
 public:
  // Throws as Lambdarank does.
  Peer(PeerParams params, LambdarankParams lambdarank, std::uint64_t seed);

  void prepare(const ObjectiveData& data) override;
  void gradients(const QueryView& query, ObjectiveScratch& scratch,
                 GradientView out) const override;
  // y~ of one document of the list.
  float drawn_grade(const QueryView& query, std::size_t document) const;

 private:
  PeerParams params_;
  Lambdarank lambdarank_;
  std::uint64_t seed_;
  GradeDistribution grades_;
  std::size_t first_query_ = 0;  // its number among the queries of all machines
};

}  // namespace glassrank
