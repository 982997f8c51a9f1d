#include "glassrank/boosting/sampling/pick_documents.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "glassrank/boosting/sampling/pick_kernel.h"

namespace glassrank {
namespace {

using Candidate = PickScratch::Candidate;
using Picked = std::span<const std::uint32_t>;  // the front of scratch.picked

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kProbes = 128;
// Shorter lists, and samples of more than a share of the list, are looked at whole.
constexpr std::size_t kLongList = 512;
constexpr std::size_t kFewPerList = 6;

// Higher scores first; equal ones in input order.
bool is_before(const Candidate& a, const Candidate& b) {
  return a.score > b.score || (a.score == b.score && a.slot < b.slot);
}
bool is_after(const Candidate& a, const Candidate& b) { return is_before(b, a); }

// Negatives ranked above the last positive.
std::size_t count_above_last(const DocumentList& list) {
  Candidate last{.score = kInfinity, .slot = 0};
  for (const std::uint32_t slot : list.positives) {
    const Candidate own{.score = list.scores[slot], .slot = slot};
    if (is_before(last, own)) last = own;
  }
  std::size_t num_before = 0;
  for (std::uint32_t i = 0; i < list.scores.size(); ++i) {
    num_before += is_before({.score = list.scores[i], .slot = i}, last) ? 1 : 0;
  }
  return num_before - (list.positives.size() - 1);
}

// Kept are scores above `high` and below `low`.
struct Borders {
  double high = kInfinity;
  double low = -kInfinity;
};

// Beyond which a few more than wanted lie.
Borders guess_borders(std::span<const double> scores, const NegativeCounts& counts) {
  std::array<double, kProbes> probes;
  for (std::size_t i = 0; i < kProbes; ++i) probes[i] = scores[i * scores.size() / kProbes];
  const auto border = [&](std::size_t count, auto&& comes_before) {
    const double share = static_cast<double>(count) / static_cast<double>(scores.size());
    const auto place = std::min(kProbes - 1, static_cast<std::size_t>(1.5 * share * kProbes) + 4);
    const auto at = probes.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(probes.begin(), at, probes.end(), comes_before);
    return *at;
  };
  Borders borders;
  if (counts.top > 0) borders.high = border(counts.top, std::greater<>());
  if (counts.bottom > 0) borders.low = border(counts.bottom, std::less<>());
  return borders;
}

// The negatives at or beyond the borders.
void find_candidates(const DocumentList& list, const Borders& borders, PickScratch& scratch) {
  scratch.found.resize(std::max(scratch.found.size(), list.scores.size() + kPickPadding));
  const std::size_t num_found =
      find_outside(list.scores, {.low = borders.low, .high = borders.high}, scratch.found.data());
  scratch.tops.clear();
  scratch.bottoms.clear();
  auto positive = list.positives.begin();
  for (std::size_t i = 0; i < num_found; ++i) {
    const auto slot = static_cast<std::uint32_t>(scratch.found[i]);
    while (positive != list.positives.end() && *positive < slot) ++positive;
    if (positive != list.positives.end() && *positive == slot) continue;
    const Candidate own{.score = list.scores[slot], .slot = slot};
    if (own.score >= borders.high) scratch.tops.push_back(own);
    if (own.score <= borders.low) scratch.bottoms.push_back(own);
  }
}

// Returns the end of what it wrote.
template <typename IsBefore>
std::uint32_t* take_first(std::vector<Candidate>& candidates, std::size_t count,
                          IsBefore&& comes_before, std::uint32_t* out) {
  const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(count);
  if (last != candidates.end()) {
    std::nth_element(candidates.begin(), last, candidates.end(), comes_before);
  }
  return std::transform(candidates.begin(), last, out, std::mem_fn(&Candidate::slot));
}

// For a long list of which few are kept. Nothing if the guess was too bold.
std::optional<Picked> pick_few(const DocumentList& list, const NegativeCounts& counts,
                               PickScratch& scratch) {
  if (list.scores.size() < kLongList || kFewPerList * counts.all() > list.scores.size()) {
    return {};
  }
  find_candidates(list, guess_borders(list.scores, counts), scratch);
  if (scratch.tops.size() < counts.top || scratch.bottoms.size() < counts.bottom) return {};
  std::uint32_t* begin = scratch.picked.data();
  std::uint32_t* end = std::ranges::copy(list.positives, begin).out;
  end = take_first(scratch.tops, counts.top, is_before, end);
  end = take_first(scratch.bottoms, counts.bottom, is_after, end);
  std::sort(begin, end);
  return Picked(begin, end);
}

// Whatever the list. NaN stands for what is kept in any case.
Picked pick_ends(const DocumentList& list, const NegativeCounts& counts, PickScratch& scratch) {
  const std::size_t n = list.scores.size();
  if (scratch.negatives.size() < n + kPickPadding) scratch.negatives.resize(n + kPickPadding);
  std::ranges::copy(list.scores, scratch.negatives.begin());
  for (const std::uint32_t slot : list.positives) {
    scratch.negatives[slot] = std::numeric_limits<double>::quiet_NaN();
  }
  const std::span<double> negatives(scratch.negatives.data(), n);
  ValueRange dropped{.low = -kInfinity, .high = kInfinity};
  std::size_t num_values = list.num_negatives();
  if (counts.top > 0) {
    const ValueBorder border = separate_highest(negatives, counts.top);
    dropped.high = border.value;
    if (border.num_equal > 0) lose_equal(negatives, border.value, {0, border.num_equal});
    num_values -= border.num_equal;
  }
  if (counts.bottom > 0) {
    const ValueBorder border = separate_highest(negatives, num_values - counts.bottom);
    dropped.low = border.value;
    if (border.num_equal > 0) {
      dropped.low = std::nextafter(border.value, -kInfinity);
      lose_equal(negatives, border.value, {border.num_equal, n});
    }
  }
  return {scratch.picked.data(), find_not_within(negatives, dropped, scratch.picked.data())};
}

// Some of those that are not kept yet: the first steps of a Fisher-Yates shuffle.
void keep_random(std::size_t count, const CounterRandom& random, PickScratch& scratch) {
  std::vector<std::uint32_t>& rest = scratch.rest;
  rest.clear();
  for (std::uint32_t i = 0; i < scratch.kept.size(); ++i) {
    if (scratch.kept[i] == 0) rest.push_back(i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(rest[i], rest[i + random.below(i, rest.size() - i)]);
    scratch.kept[rest[i]] = 1;
  }
}

Picked pick_with_random(const DocumentList& list, const NegativeCounts& counts,
                        const CounterRandom& random, PickScratch& scratch) {
  const std::size_t n = list.scores.size();
  scratch.kept.assign(n, 0);
  for (const std::uint32_t slot : list.positives) scratch.kept[slot] = 1;
  if (counts.top + counts.bottom > 0) {
    for (const std::uint32_t slot : pick_ends(list, counts, scratch)) scratch.kept[slot] = 1;
  }
  keep_random(counts.random, random, scratch);
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    scratch.picked[count] = i;
    count += scratch.kept[i];
  }
  return {scratch.picked.data(), count};
}

}  // namespace

std::span<const std::uint32_t> pick_documents(const NegativeRule& rule, const DocumentList& list,
                                              const CounterRandom& random, PickScratch& scratch) {
  std::size_t base = list.num_negatives();
  if (rule.base == NegativeBase::kMultiple) base = list.positives.size();
  if (rule.base == NegativeBase::kPositives) {
    base = list.positives.empty() ? 0 : count_above_last(list);
  }
  const NegativeCounts counts = count_negatives(rule.count, base, list.num_negatives());
  // Never made shorter: growing again would write zeros.
  const std::size_t n = list.scores.size();
  if (scratch.picked.size() < n + kPickPadding) scratch.picked.resize(n + kPickPadding);
  if (counts.all() == list.num_negatives()) {
    std::iota(scratch.picked.begin(), scratch.picked.begin() + static_cast<std::ptrdiff_t>(n), 0U);
    return {scratch.picked.data(), n};
  }
  if (counts.all() == 0) return list.positives;
  if (counts.random > 0) return pick_with_random(list, counts, random, scratch);
  if (const auto few = pick_few(list, counts, scratch)) return *few;
  return pick_ends(list, counts, scratch);
}

}  // namespace glassrank
