#pragma once
// How alike an explanation is to what is known to be true of a document: three measures of
// "Evaluating Local Model-Agnostic Explanations of Learning to Rank Models with Decision Paths"
// (Rahnama and Bütepage). `truth` and `attributions` have one number per feature, F of them.
//
//   top-k AUC     T, E = the k features largest by amount in truth, in the explanation
//                 AUC = (1 + |E and T| / |T| - |E without T| / (F - |T|)) / 2
//                 the area under the curve of "is in E" as a judge of "is in T"; with |T| = |E| = k
//                 it has k + 1 values. Half is chance. (The paper credits Hsieh et al. with it;
//                 theirs is another measure.)
//   Spearman      correlation of the ranks; signed, so that a feature that raises the score and is
//                 said to lower it counts against; or by amount
//   Euclidean     1 / (1 + ||attributions - truth||)
//
// The paper normalises nothing for the last: its values of Tables 1 and 2 fit distances of raw
// numbers. Raw distances compare scales first: where truth is small, an explanation of zeros is
// close to it. Unit distances divide both sides by their length before.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "glassrank/base/params.h"

namespace glassrank {

// What becomes of places among the first k that only zeros are left for.
enum class ZeroPlaces {
  kEmpty,    // a feature that adds nothing is never among the first
  kByIndex,  // the lowest feature numbers take them, on both sides, so they agree by chance
};
template <>
struct EnumNames<ZeroPlaces> {
  static std::span<const std::pair<std::string_view, ZeroPlaces>> table();
};

enum class DistanceScale { kRaw, kUnit };
template <>
struct EnumNames<DistanceScale> {
  static std::span<const std::pair<std::string_view, DistanceScale>> table();
};

// Nothing when truth has no feature among its first k, or all of them: there is nothing to tell
// apart.
std::optional<double> topk_auc(std::span<const double> truth, std::span<const double> attributions,
                               std::size_t k, ZeroPlaces zeros = ZeroPlaces::kEmpty);

// kAutomatic: signed, but by amount where the truth has no signs (frequency).
enum class Signs { kAutomatic, kSigned, kAmount };
template <>
struct EnumNames<Signs> {
  static std::span<const std::pair<std::string_view, Signs>> table();
};
// kAutomatic is kSigned here: a single truth does not tell whether it has signs. Nothing when one
// side is constant.
std::optional<double> attribution_spearman(std::span<const double> truth,
                                           std::span<const double> attributions,
                                           Signs signs = Signs::kSigned);

// A vector of zeros has no direction: with kUnit it stays as it is.
double euclidean_similarity(std::span<const double> truth, std::span<const double> attributions,
                            DistanceScale scale = DistanceScale::kRaw);

}  // namespace glassrank
