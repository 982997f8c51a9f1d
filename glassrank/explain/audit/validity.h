#pragma once
// How well a few features explain a ranking: the ranking is made again with only them known, or
// with only them unknown, and compared with the real one (Singh et al., ICTIR 2021).
//
//   validity(F)     = tau(scores, scores with only F known)       1: F alone gives the same order
//   completeness(F) = tau(scores, scores with all but F known)    low: nothing else gives the order
// (The paper's completeness is the negative of ours.) What is not known has the values of the
// perturbation's reference rows; with several of them, the scores are means over them.
//
// Which tau, over the n (n - 1) / 2 pairs of documents:
//   a               (concordant - discordant) / pairs; a pair tied on either side counts 0. Masked
//                   scores of trees tie often, and a tie explains nothing: the default.
//   b               divided by sqrt(pairs untied here x pairs untied there) instead, as in scipy
//   ndcg            pairs have weights, w = |discount(rank) - discount(other rank)| with the ranks
//                   of the real ranking: what an exchange costs per unit of gain.
//                   sum of w over concordant - sum over discordant, / sum of w over all pairs
//   docid-sequence  Kendall's tau between the two lists of document numbers in ranked order, which
//                   is what the authors' program computes. Not a comparison of ranks: it is 1 for
//                   equal lists and falls to 0 quickly. Only to reproduce their numbers.
// Cost: one masked scoring of the query; O(n log n), ndcg O(n^2).

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/explain/perturbation.h"

namespace glassrank {

enum class Tau { kA, kB, kNdcg, kDocidSequence };
template <>
struct EnumNames<Tau> {
  static std::span<const std::pair<std::string_view, Tau>> table();
};

// Of the real scores and others of the same documents. Fewer than two documents: 1. All tied on one
// side: 0.
double rank_agreement(std::span<const double> scores, std::span<const double> others, Tau tau);

// One number per mask. `scores` are the real ones of the perturbation's documents.
std::vector<double> masked_agreement(const Perturbation& perturbation,
                                     std::span<const double> scores, FeatureMasks masks, Tau tau,
                                     const Context& context);

// Throw Error{kUsage} when a feature is not one of the perturbation's, or the number of scores is
// not that of its documents.
double validity(const Perturbation& perturbation, std::span<const double> scores,
                std::span<const std::uint32_t> features, Tau tau, const Context& context);
double completeness(const Perturbation& perturbation, std::span<const double> scores,
                    std::span<const std::uint32_t> features, Tau tau, const Context& context);

}  // namespace glassrank
