#include "glassrank/math/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace glassrank {
namespace {

std::uint64_t pairs_among(std::uint64_t n) { return n * (n - 1) / 2; }

// Pairs of equal neighbours in an order that brings equals together.
template <typename Equal>
std::uint64_t tied_pairs(std::span<const std::uint32_t> order, Equal&& equal) {
  std::uint64_t pairs = 0;
  for (std::size_t begin = 0, i = 1; i <= order.size(); ++i) {
    if (i < order.size() && equal(order[i], order[begin])) continue;
    pairs += pairs_among(i - begin);
    begin = i;
  }
  return pairs;
}

// Sorts by b and counts the pairs that stood the other way round: strictly, equals do not count.
std::uint64_t exchanges(std::span<std::uint32_t> order, std::span<std::uint32_t> buffer,
                        std::span<const double> b) {
  if (order.size() < 2) return 0;
  const std::size_t half = order.size() / 2;
  std::uint64_t count = exchanges(order.first(half), buffer.first(half), b) +
                        exchanges(order.subspan(half), buffer.subspan(half), b);
  std::size_t left = 0;
  std::size_t right = half;
  for (std::uint32_t& to : buffer) {
    const bool takes_right =
        left == half || (right < order.size() && b[order[right]] < b[order[left]]);
    if (takes_right) count += half - left;
    to = order[takes_right ? right++ : left++];
  }
  std::copy(buffer.begin(), buffer.end(), order.begin());
  return count;
}

}  // namespace

PairCounts count_pairs(std::span<const double> a, std::span<const double> b) {
  std::vector<std::uint32_t> order(a.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return a[i] != a[j] ? a[i] < a[j] : b[i] < b[j];
  });
  PairCounts counts;
  counts.pairs = a.size() < 2 ? 0 : pairs_among(a.size());
  counts.tied_a = tied_pairs(order, [&](auto i, auto j) { return a[i] == a[j]; });
  const std::uint64_t tied_both =
      tied_pairs(order, [&](auto i, auto j) { return a[i] == a[j] && b[i] == b[j]; });
  std::vector<std::uint32_t> buffer(order.size());
  // Within equal a the order is that of b, so only pairs that differ in both can be exchanged.
  counts.discordant = exchanges(order, buffer, b);
  counts.tied_b = tied_pairs(order, [&](auto i, auto j) { return b[i] == b[j]; });
  counts.concordant = counts.pairs - counts.tied_a - counts.tied_b + tied_both - counts.discordant;
  return counts;
}

double kendall_tau_a(std::span<const double> a, std::span<const double> b) {
  const PairCounts counts = count_pairs(a, b);
  if (counts.pairs == 0) return 1;
  return (static_cast<double>(counts.concordant) - static_cast<double>(counts.discordant)) /
         static_cast<double>(counts.pairs);
}

std::optional<double> kendall_tau_b(std::span<const double> a, std::span<const double> b) {
  const PairCounts counts = count_pairs(a, b);
  const auto differ_in_a = static_cast<double>(counts.pairs - counts.tied_a);
  const auto differ_in_b = static_cast<double>(counts.pairs - counts.tied_b);
  if (differ_in_a == 0 || differ_in_b == 0) return std::nullopt;
  return (static_cast<double>(counts.concordant) - static_cast<double>(counts.discordant)) /
         std::sqrt(differ_in_a * differ_in_b);
}

std::vector<double> average_ranks(std::span<const double> values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t i, std::uint32_t j) { return values[i] < values[j]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0, i = 1; i <= order.size(); ++i) {
    if (i < order.size() && values[order[i]] == values[order[begin]]) continue;
    const double rank = (static_cast<double>(begin) + static_cast<double>(i) + 1) / 2;
    for (std::size_t j = begin; j < i; ++j) ranks[order[j]] = rank;
    begin = i;
  }
  return ranks;
}

std::optional<double> spearman(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> ranks_a = average_ranks(a);
  const std::vector<double> ranks_b = average_ranks(b);
  const double mean = (static_cast<double>(a.size()) + 1) / 2;
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (ranks_a[i] - mean) * (ranks_b[i] - mean);
    aa += (ranks_a[i] - mean) * (ranks_a[i] - mean);
    bb += (ranks_b[i] - mean) * (ranks_b[i] - mean);
  }
  if (aa == 0 || bb == 0) return std::nullopt;
  return ab / std::sqrt(aa * bb);
}

}  // namespace glassrank
