#include "glassrank/boosting/pick_documents.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "glassrank/boosting/pick_kernel.h"

namespace glassrank {
namespace {

using Candidate = PickScratch::Candidate;

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

template <typename IsBefore>
void take_first(std::vector<Candidate>& candidates, std::size_t count, IsBefore&& comes_before,
                std::vector<std::uint32_t>& picked) {
  const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(count);
  if (last != candidates.end()) {
    std::nth_element(candidates.begin(), last, candidates.end(), comes_before);
  }
  for (auto own = candidates.begin(); own != last; ++own) picked.push_back(own->slot);
}

// For a long list of which few are kept. False if the guess was too bold: nothing is picked then.
bool pick_few(const DocumentList& list, const NegativeCounts& counts, PickScratch& scratch) {
  if (list.scores.size() < kLongList || kFewPerList * counts.all() > list.scores.size()) {
    return false;
  }
  find_candidates(list, guess_borders(list.scores, counts), scratch);
  if (scratch.tops.size() < counts.top || scratch.bottoms.size() < counts.bottom) return false;
  scratch.picked.assign(list.positives.begin(), list.positives.end());
  take_first(scratch.tops, counts.top, is_before, scratch.picked);
  take_first(scratch.bottoms, counts.bottom, is_after, scratch.picked);
  std::ranges::sort(scratch.picked);
  return true;
}

// For lists whose borders are no ties, nearly all of them. False: nothing is picked.
bool pick_ends(const DocumentList& list, const NegativeCounts& counts, PickScratch& scratch) {
  const std::size_t n = list.scores.size();
  scratch.negatives.resize(n + kPickPadding);
  std::ranges::copy(list.scores, scratch.negatives.begin());
  for (const std::uint32_t slot : list.positives) {
    scratch.negatives[slot] = std::numeric_limits<double>::quiet_NaN();
  }
  const std::span<const double> negatives(scratch.negatives.data(), n);
  ValueRange dropped{.low = -kInfinity, .high = kInfinity};
  if (counts.top > 0) {
    const auto border = separate_highest(negatives, counts.top);
    if (!border) return false;
    dropped.high = *border;
  }
  if (counts.bottom > 0) {
    const auto border = separate_highest(negatives, list.num_negatives() - counts.bottom);
    if (!border) return false;
    dropped.low = *border;
  }
  scratch.picked.resize(n + kPickPadding);
  scratch.picked.resize(find_not_within(negatives, dropped, scratch.picked.data()));
  return true;
}

// How many of several equal scores are kept: the first ones for the top, the last for the bottom.
struct Ties {
  std::size_t top = 0;
  std::size_t bottom_begin = 0;  // this one and later ones
};

// Exact borders and what is kept of the documents on them. Reorders the scores of the negatives.
std::pair<Borders, Ties> exact_borders(std::span<double> negatives, const NegativeCounts& counts) {
  Borders borders;
  Ties ties;
  const auto top_end = negatives.begin() + static_cast<std::ptrdiff_t>(counts.top);
  if (counts.top > 0) {
    std::nth_element(negatives.begin(), top_end - 1, negatives.end(), std::greater<>());
    borders.high = *(top_end - 1);
    ties.top = static_cast<std::size_t>(std::count(negatives.begin(), top_end, borders.high));
  }
  if (counts.bottom > 0) {
    const auto bottom = negatives.end() - static_cast<std::ptrdiff_t>(counts.bottom);
    std::nth_element(top_end, bottom, negatives.end(), std::greater<>());
    borders.low = *bottom;
    ties.bottom_begin =
        static_cast<std::size_t>(std::count(negatives.begin(), bottom, borders.low));
  }
  return {borders, ties};
}

void keep_ends(const DocumentList& list, const NegativeCounts& counts, PickScratch& scratch) {
  const std::size_t n = list.scores.size();
  scratch.negatives.resize(n + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    scratch.negatives[count] = list.scores[i];
    count += 1U - scratch.kept[i];
  }
  const auto [borders, ties] = exact_borders({scratch.negatives.data(), count}, counts);
  std::size_t num_high = 0;
  std::size_t num_low = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double score = list.scores[i];
    if (score == borders.high || score == borders.low) {
      if (scratch.kept[i] != 0) continue;
      const bool of_top = score == borders.high && num_high++ < ties.top;
      const bool of_bottom = score == borders.low && num_low++ >= ties.bottom_begin;
      scratch.kept[i] = of_top || of_bottom ? 1 : 0;
    } else {
      const bool is_beyond = (score > borders.high) | (score < borders.low);
      scratch.kept[i] = static_cast<std::uint8_t>(scratch.kept[i] | (is_beyond ? 1 : 0));
    }
  }
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

void pick_whole(const DocumentList& list, const NegativeCounts& counts, const CounterRandom& random,
                PickScratch& scratch) {
  const std::size_t n = list.scores.size();
  scratch.kept.assign(n, 0);
  for (const std::uint32_t slot : list.positives) scratch.kept[slot] = 1;
  if (counts.top + counts.bottom > 0) keep_ends(list, counts, scratch);
  if (counts.random > 0) keep_random(counts.random, random, scratch);
  scratch.picked.resize(n + 1);
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    scratch.picked[count] = i;
    count += scratch.kept[i];
  }
  scratch.picked.resize(count);
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
  if (counts.all() == list.num_negatives()) {
    scratch.picked.resize(list.scores.size());
    std::iota(scratch.picked.begin(), scratch.picked.end(), 0U);
  } else if (counts.random > 0 ||
             !(pick_few(list, counts, scratch) || pick_ends(list, counts, scratch))) {
    pick_whole(list, counts, random, scratch);
  }
  return scratch.picked;
}

}  // namespace glassrank
