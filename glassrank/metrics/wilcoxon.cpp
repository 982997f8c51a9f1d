#include "glassrank/metrics/wilcoxon.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/math/distributions.h"
#include "glassrank/math/signed_rank.h"

namespace glassrank {
namespace {

struct Ranked {
  std::vector<std::uint32_t> doubled_ranks;  // of the non-zero differences by ascending size
  std::uint64_t doubled_w = 0;
  double tie_term = 0;  // sum of t^3 - t over groups of equal sizes
};

Ranked rank_differences(std::vector<double> differences) {
  std::erase(differences, 0.0);
  std::ranges::sort(differences, {}, [](double d) { return std::abs(d); });
  Ranked ranked;
  ranked.doubled_ranks.reserve(differences.size());
  for (std::size_t begin = 0; begin < differences.size();) {
    std::size_t end = begin;
    while (end < differences.size() && std::abs(differences[end]) == std::abs(differences[begin])) {
      ++end;
    }
    // Ranks begin+1 .. end share their average (begin + 1 + end) / 2.
    const auto doubled = static_cast<std::uint32_t>(begin + 1 + end);
    for (std::size_t i = begin; i < end; ++i) {
      ranked.doubled_ranks.push_back(doubled);
      if (differences[i] > 0) ranked.doubled_w += doubled;
    }
    const auto size = static_cast<double>(end - begin);
    ranked.tie_term += size * size * size - size;
    begin = end;
  }
  return ranked;
}

bool use_exact(WilcoxonMethod method, std::size_t num_queries, const WilcoxonResult& result) {
  if (method != WilcoxonMethod::kAutomatic) return method == WilcoxonMethod::kExact;
  if (num_queries > 50) return false;
  return num_queries <= 13 || (!result.has_ties && result.num_used == num_queries);
}

PValues normal_p(const Ranked& ranked, bool continuity) {
  const auto n = static_cast<double>(ranked.doubled_ranks.size());
  const double error = std::sqrt((n * (n + 1) * (2 * n + 1) - ranked.tie_term / 2) / 24);
  const double centred = static_cast<double>(ranked.doubled_w) / 2 - n * (n + 1) / 4;
  const double half = continuity ? 0.5 : 0.0;
  // Towards the mean; exactly at the mean there is nothing to correct.
  const double shrunk = centred == 0 ? 0.0 : std::abs(centred) - half;
  return {.two_sided = std::min(1.0, 2 * normal_upper(shrunk / error)),
          .greater = normal_upper((centred - half) / error),
          .less = normal_upper((-centred - half) / error)};
}

}  // namespace

WilcoxonResult wilcoxon_signed_rank(std::span<const double> a, std::span<const double> b,
                                    const WilcoxonParams& params) {
  const Ranked ranked = rank_differences(paired_differences(a, b));
  WilcoxonResult result{.rank_sum = static_cast<double>(ranked.doubled_w) / 2,
                        .num_used = ranked.doubled_ranks.size(),
                        .has_ties = ranked.tie_term > 0};
  result.exact = use_exact(params.method, a.size(), result);
  // The exact distribution is built in O(n^3); beyond this it is no longer exact in double either.
  constexpr std::size_t kMostExact = 1000;
  if (result.exact && result.num_used > kMostExact) {
    fail(ErrorKind::kUsage,
         "the exact signed-rank test takes at most {} differing queries, here are {}; use the "
         "normal approximation",
         kMostExact, result.num_used);
  }
  if (result.num_used == 0) return result;
  if (result.exact) {
    const SignedRankTails tails = signed_rank_tails(ranked.doubled_ranks, ranked.doubled_w);
    result.p = {.two_sided = std::min(1.0, 2 * std::min(tails.upper, tails.lower)),
                .greater = tails.upper,
                .less = tails.lower};
  } else {
    result.p = normal_p(ranked, params.continuity);
  }
  return result;
}

}  // namespace glassrank
