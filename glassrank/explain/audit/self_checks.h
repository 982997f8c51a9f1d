#pragma once
// What an explanation says about itself, without a look at the ranker: whether its parts make up
// the whole, how sure it is of them, and whether it would say the same again.
//
//   additivity residual = |base value + sum of attributions - value| / largest |attribution|
//   error share         = largest standard error                     / largest |attribution|
//   stability           = mean over the other seeds of |F and F_s| / max(|F|, |F_s|)
//
//   error over seeds    = standard deviation of an attribution over the seeds
//
// F and F_s are the features named with one seed and with another. Shares are of the largest
// attribution because that is what a reader compares the others with. Where every attribution is 0,
// a residual or an error above 0 is infinitely large beside them.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "glassrank/explain/explanation.h"

namespace glassrank {

// Nothing without attributions.
std::optional<double> additivity_residual(const Explanation& explanation);
// 0 where there are attributions that were not sampled; nothing without attributions, and where
// they were sampled and their errors are not known.
std::optional<double> error_share(const Explanation& explanation);

// Standard errors of an explainer that samples and does not know them, one per feature: how far its
// answers to the same question differ from seed to seed. Three seeds say no more than the size of
// it. Empty without attributions or other seeds.
std::vector<double> errors_over_seeds(const Explanation& explanation,
                                      std::span<const Explanation> with_other_seeds);

// Share of features that two answers have in common; 1 when both name none.
double shared_features(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);
// Of `explanation` against the same question asked with other seeds; nothing without any, or where
// none of the answers names a feature.
std::optional<double> stability(const Explanation& explanation,
                                std::span<const Explanation> with_other_seeds);

}  // namespace glassrank
