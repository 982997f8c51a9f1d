#pragma once
// Preservation and deletion, as RankingSHAP (Heuss, de Rijke and Anand, SIGIR 2025) evaluates: many
// rows stand in for what is not known, one after the other, each for all documents at once.
//
//   preservation(F) = mean over background rows b of tau(scores, scores with F known, the rest from
//   b) deletion(F)     = mean over background rows b of tau(scores, scores with F from b, the rest
//   known)
//
// Preservation is high and deletion low where F decides the order. With one row, the typical one,
// these are validity and completeness (validity.h): this is the same question asked in many
// circumstances. Note that taus are averaged, not scores: an order that one row keeps and another
// turns round counts 0. Cost: 2 x rows masked scorings of the query, rows x n log n.

#include <cstdint>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/explain/audit/validity.h"
#include "glassrank/explain/perturbation.h"

namespace glassrank {

struct Preservation {
  double preservation = 0;
  double deletion = 0;
};

// `scores` are the real ones of the perturbation's documents; its references are the background
// rows. Throws Error{kUsage} when a feature is not one of the perturbation's.
Preservation measure_preservation(const Perturbation& perturbation, std::span<const double> scores,
                                  std::span<const std::uint32_t> features, Tau tau,
                                  const Context& context);

}  // namespace glassrank
