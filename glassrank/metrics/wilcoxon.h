#pragma once
// Wilcoxon's signed-rank test of two systems over the same queries (Wilcoxon 1945).
//
// Queries with equal values are dropped; the others' |differences| are ranked, equal ones sharing
// their average rank; W+ is the sum of the ranks of queries where A is better.
//   exact: all 2^n signs are equally likely, ties included (math/signed_rank.h);
//          two-sided p = 2 min(greater, less), at most 1
//   normal: z = (W+ - n(n+1)/4) / sqrt((n(n+1)(2n+1) - sum(t^3 - t)/2) / 24), t the sizes of groups
//          of ties; `continuity` moves W+ by 1/2 towards its mean
// `automatic` follows scipy.stats.wilcoxon's defaults (zero_method='wilcox', correction=False,
// method='auto' of scipy 1.17): more than 50 queries (dropped ones counted): normal; else no ties
// and nothing dropped: exact; else up to 13 queries: exact; else normal.

#include <cstddef>
#include <span>

#include "glassrank/metrics/paired_test.h"

namespace glassrank {

enum class WilcoxonMethod { kAutomatic, kExact, kNormal };

struct WilcoxonParams {
  WilcoxonMethod method = WilcoxonMethod::kAutomatic;
  bool continuity = false;
};

struct WilcoxonResult {
  double rank_sum = 0.0;     // W+
  std::size_t num_used = 0;  // queries on which the systems differ
  bool exact = false;
  bool has_ties = false;
  PValues p = {};  // all 1 when the systems never differ
};

WilcoxonResult wilcoxon_signed_rank(std::span<const double> a, std::span<const double> b,
                                    const WilcoxonParams& params = {});

}  // namespace glassrank
