#pragma once
// GREEDY, GREEDY-COVER and GREEDY-COVER-eps of "Valid Explanations for Learning to Rank Models"
// (Singh et al., ICTIR 2021): features are added one by one, each time the one that does most to
// keep the order of the pairs P of documents.
//
//   F' = {}, Pc = P; k times:
//     z_p(f) = (score(a; F' + f) - score(b; F' + f)) w_p   for the pair p of a above b
//     u(f)   = sum over p in Pc of z_p(f);  f = the best by u, ties to the lowest number
//     GREEDY: stop where u does not rise any more
//     add f
//     COVER: Pc -= {p : z_p(f) > eps}, eps = 0, or (COVER-eps) the mean of the positive z_p(f);
//            stop when Pc is empty or, once a pair is covered, no z_p(f) was positive
// The first feature decides much, so it is run again from the 2nd and 3rd best first feature, and
// the run whose features keep the order best is taken, then the one with fewer features, then the
// one with the lower numbers.
// The pairs of a document enter u by one number, the weight of those it leads less that of those it
// trails, so u(f) costs one product a document: all pairs are as fast as a few.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/explain/greedy/document_pairs.h"
#include "glassrank/explain/masks/extension_scores.h"

namespace glassrank {

enum class GreedyVariant { kGreedy, kCover, kCoverEps };

// The authors' program departs from the paper: it takes the feature that lowers u and only then
// stops, drops pairs with z >= eps, stops before the last pairs are dropped, goes on to twice k
// features and keeps the first k, and prefers the later of equally good runs.
struct GreedyRule {
  GreedyVariant variant = GreedyVariant::kCoverEps;
  std::size_t k = 5;
  std::size_t starts = 3;
  bool as_released = false;
};

struct GreedyResult {
  std::vector<std::uint32_t> features;  // in the order they were added
  std::vector<double> scores;           // of the documents with these alone
  double agreement = 0;
  // How far no feature at all keeps the order, and what each of them adds as it is added: together
  // the agreement.
  double base = 0;
  std::vector<double> gains;
};

struct GreedyTask {
  std::size_t num_documents = 0;
  std::span<const DocumentPair> pairs;        // at least one
  std::span<const std::uint32_t> candidates;  // features, ascending
  // How well scores keep the order: what the best run is chosen by.
  std::function<double(std::span<const double>)> agreement;
};

GreedyResult greedy_search(const GreedyRule& rule, const GreedyTask& task,
                           ExtensionScores& extensions, const Context& context);

}  // namespace glassrank
