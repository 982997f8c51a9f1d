#pragma once
// ApproxNDCG (Qin, Liu, Li 2010; Bruch et al. 2019): NDCG of a list with ranks made smooth, and its
// gradient.
//
//   rank_i = 1/2 + sum over all j of sigmoid((s_j - s_i) / temperature)      (1-based)
//   ndcg   = sum of gain_i / log2(1 + rank_i)  /  ideal DCG,   gain = 2^grade - 1 or another one
//   loss   = -ndcg
// The whole list counts, no cutoff. Ranks matter only where there is gain: pairs of two documents
// without any are left out. Cost: documents times documents with gain, each pair looked at twice;
// memory in proportion to the documents.

#include <optional>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/metrics/gain.h"

namespace glassrank {

// Writes d loss / d score of every document and returns ndcg; nothing (and zeros) for a list
// without gain. Throws Error{kInterrupted} soon after the context is stopped: a list of 70,000
// documents takes minutes.
std::optional<double> approx_ndcg(std::span<const float> grades, std::span<const float> scores,
                                  double temperature, std::span<float> gradient,
                                  const Gain& gain = {}, const Context& context = {});

}  // namespace glassrank
