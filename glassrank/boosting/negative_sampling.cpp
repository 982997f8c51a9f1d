#include "glassrank/boosting/negative_sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/boosting/pick_kernel.h"
#include "glassrank/objectives/lambdarank_kernel.h"

namespace glassrank {
namespace {

using Candidate = PickScratch::Candidate;

constexpr std::size_t kChunkQueries = 16;
constexpr std::size_t kProbes = 128;
// Shorter lists, and samples of more than a share of the list, are sorted whole.
constexpr std::size_t kLongList = 512;
constexpr std::size_t kFewPerList = 6;

// Higher scores first; equal ones in input order.
bool is_before(const Candidate& a, const Candidate& b) {
  return a.score > b.score || (a.score == b.score && a.slot < b.slot);
}

template <typename T>
T* room_for(std::vector<T>& place, std::size_t size) {
  if (place.size() < size) place.resize(size);
  return place.data();
}

using Slots = std::span<const std::uint32_t>;

// Negatives ranked above the last positive.
std::size_t count_above_last(const DocumentList& list, Slots positives) {
  Candidate last{.score = std::numeric_limits<double>::infinity(), .slot = 0};
  for (const std::uint32_t slot : positives) {
    const Candidate own{.score = list.scores[slot], .slot = slot};
    if (is_before(last, own)) last = own;
  }
  std::size_t num_before = 0;
  for (std::uint32_t i = 0; i < list.scores.size(); ++i) {
    num_before += is_before({.score = list.scores[i], .slot = i}, last) ? 1 : 0;
  }
  return num_before - (positives.size() - 1);
}

// Scores that about `top` negatives are above and `bottom` ones below, rather more than fewer.
struct Borders {
  double high = -std::numeric_limits<double>::infinity();
  double low = std::numeric_limits<double>::infinity();
};

Borders guess_borders(std::span<const double> scores, const NegativeCounts& counts) {
  std::array<double, kProbes> probes;
  for (std::size_t i = 0; i < kProbes; ++i) probes[i] = scores[i * scores.size() / kProbes];
  const auto place = [&](std::size_t count) {
    const double share = static_cast<double>(count) / static_cast<double>(scores.size());
    return std::min(kProbes - 1, static_cast<std::size_t>(1.5 * share * kProbes) + 4);
  };
  const auto border = [&](std::size_t count, auto&& comes_before) {
    const auto at = probes.begin() + static_cast<std::ptrdiff_t>(place(count));
    std::nth_element(probes.begin(), at, probes.end(), comes_before);
    return *at;
  };
  return {.high = border(counts.top, std::greater<>()),
          .low = border(counts.bottom, std::less<>())};
}

// Picks the first `count` negatives within the range; false, and nothing picked, if those are
// fewer.
template <typename IsBefore>
bool pick_first(const DocumentList& list, Slots positives, const ValueRange& range,
                std::size_t count, PickScratch& scratch, IsBefore&& comes_before) {
  const std::size_t n = list.scores.size();
  std::uint64_t* const found = room_for(scratch.found, n + kPickPadding);
  const std::size_t num_found = find_within(list.scores, range, found);
  scratch.candidates.clear();
  auto positive = positives.begin();
  for (std::size_t i = 0; i < num_found; ++i) {
    const auto slot = static_cast<std::uint32_t>(found[i]);
    while (positive != positives.end() && *positive < slot) ++positive;
    if (positive != positives.end() && *positive == slot) continue;
    scratch.candidates.push_back({.score = list.scores[slot], .slot = slot});
  }
  if (scratch.candidates.size() < count) return false;
  const auto first = scratch.candidates.begin();
  const auto last = first + static_cast<std::ptrdiff_t>(count);
  if (last != scratch.candidates.end()) {
    std::nth_element(first, last, scratch.candidates.end(), comes_before);
  }
  for (auto candidate = first; candidate != last; ++candidate) {
    scratch.picked.push_back(candidate->slot);
  }
  return true;
}

// For a long list of which few are kept: top and bottom ones do not meet.
void pick_few(const DocumentList& list, Slots positives, const NegativeCounts& counts,
              PickScratch& scratch) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Borders borders = guess_borders(list.scores, counts);
  const auto after = [](const Candidate& a, const Candidate& b) { return is_before(b, a); };
  const ValueRange every{.low = -kInfinity, .high = kInfinity};
  scratch.picked.assign(positives.begin(), positives.end());
  if (counts.top > 0 && !pick_first(list, positives, {.low = borders.high, .high = kInfinity},
                                    counts.top, scratch, is_before)) {
    pick_first(list, positives, every, counts.top, scratch, is_before);
  }
  if (counts.bottom > 0 && !pick_first(list, positives, {.low = -kInfinity, .high = borders.low},
                                       counts.bottom, scratch, after)) {
    pick_first(list, positives, every, counts.bottom, scratch, after);
  }
  std::ranges::sort(scratch.picked);
}

// Every slot in order of score. Sorted in float32 first, which is fast; what that made equal is
// put right.
void rank_slots(std::span<const double> scores, PickScratch& scratch) {
  const std::size_t n = scores.size();
  scratch.keys.resize(n);
  scratch.sorted.resize(n);
  scratch.order.resize(n);
  for (std::size_t i = 0; i < n; ++i) scratch.keys[i] = static_cast<float>(scores[i]);
  rank_descending(scratch.keys, scratch.sorted.data(), scratch.order.data());
  std::vector<std::uint32_t>& order = scratch.order;
  for (std::size_t begin = 0; begin + 1 < n;) {
    std::size_t end = begin + 1;
    bool in_order = true;
    while (end < n && scratch.keys[order[end]] == scratch.keys[order[begin]]) {
      in_order &= scores[order[end]] <= scores[order[end - 1]];
      ++end;
    }
    if (!in_order) {
      std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                       order.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
    }
    begin = end;
  }
}

void keep_ends(const DocumentList& list, const NegativeCounts& counts, PickScratch& scratch) {
  rank_slots(list.scores, scratch);
  std::size_t left = counts.top;
  for (std::size_t r = 0; left > 0; ++r) {
    std::uint8_t& kept = scratch.kept[scratch.order[r]];
    if (kept != 0) continue;
    kept = 1;
    --left;
  }
  left = counts.bottom;
  for (std::size_t r = list.scores.size(); left > 0; --r) {
    std::uint8_t& kept = scratch.kept[scratch.order[r - 1]];
    if (kept != 0) continue;
    kept = 1;
    --left;
  }
}

// Some of those that are not kept yet: the first steps of a Fisher-Yates shuffle.
void keep_random(std::size_t count, const CounterRandom& random, PickScratch& scratch) {
  std::vector<std::uint32_t>& rest = scratch.order;
  rest.clear();
  for (std::uint32_t i = 0; i < scratch.kept.size(); ++i) {
    if (scratch.kept[i] == 0) rest.push_back(i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(rest[i], rest[i + random.below(i, rest.size() - i)]);
    scratch.kept[rest[i]] = 1;
  }
}

void pick_sorted(const DocumentList& list, Slots positives, const NegativeCounts& counts,
                 const CounterRandom& random, PickScratch& scratch) {
  scratch.kept.assign(list.scores.size(), 0);
  for (const std::uint32_t slot : positives) scratch.kept[slot] = 1;
  if (counts.top + counts.bottom > 0) keep_ends(list, counts, scratch);
  if (counts.random > 0) keep_random(counts.random, random, scratch);
  std::uint32_t* const picked = room_for(scratch.picked, list.scores.size() + 1);
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < scratch.kept.size(); ++i) {
    picked[count] = i;
    count += scratch.kept[i];
  }
  scratch.picked.resize(count);
}

}  // namespace

std::span<const std::uint32_t> pick_documents(const NegativeRule& rule, const DocumentList& list,
                                              const CounterRandom& random, PickScratch& scratch) {
  const std::size_t n = list.grades.size();
  std::uint32_t* const positive_slots = room_for(scratch.positives, n + kPickPadding);
  const Slots positives(
      positive_slots,
      find_above(list.grades, static_cast<float>(rule.negative_grade), positive_slots));
  const std::size_t num_negatives = n - positives.size();
  std::size_t base = num_negatives;
  if (rule.base == NegativeBase::kMultiple) base = positives.size();
  if (rule.base == NegativeBase::kPositives) {
    base = positives.empty() ? 0 : count_above_last(list, positives);
  }
  const NegativeCounts counts = count_negatives(rule.count, base, num_negatives);
  if (counts.all() == num_negatives) {
    scratch.picked.resize(n);
    std::iota(scratch.picked.begin(), scratch.picked.end(), 0U);
  } else if (n >= kLongList && kFewPerList * counts.all() <= n && counts.random == 0) {
    pick_few(list, positives, counts, scratch);
  } else {
    pick_sorted(list, positives, counts, random, scratch);
  }
  return scratch.picked;
}

bool NegativeSampling::is_kept(std::size_t round) const {
  return params_.every > 1 && round % params_.every == 0;
}

bool NegativeSampling::select_documents(const SampleView& view, std::vector<std::uint32_t>& rows) {
  if (view.round < params_.every) return false;
  if (view.round % params_.every != 0) return true;  // as before
  const double better = better_share(view.better_rounds, params_.window);
  const NegativeRule rule{.count = {.factors = adapt(params_.factors, params_.adaptive, better),
                                    .rounding = params_.rounding,
                                    .min_negatives = params_.min_negatives},
                          .base = params_.base,
                          .negative_grade = params_.negative_grade};
  const QueryGroups& queries = view.data.queries();
  std::vector<std::vector<std::uint32_t>> parts((queries.num_queries() + kChunkQueries - 1) /
                                                kChunkQueries);
  parallel_for(
      view.context, queries.num_queries(), kChunkQueries, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t>& part = parts[begin / kChunkQueries];
        PickScratch scratch;
        for (std::size_t q = begin; q < end; ++q) {
          const RowRange range = queries.rows(q);
          // Rounds and queries are each below 2^32.
          const CounterRandom random(view.context.seed, "random_negatives", view.round << 32 | q);
          const Slots slots =
              pick_documents(rule,
                             {.grades = view.data.grades().subspan(range.begin, range.size()),
                              .scores = view.scores.subspan(range.begin, range.size())},
                             random, scratch);
          for (const std::uint32_t slot : slots) {
            part.push_back(static_cast<std::uint32_t>(range.begin) + slot);
          }
        }
      });
  rows.clear();
  for (const auto& part : parts) rows.insert(rows.end(), part.begin(), part.end());
  std::uint64_t count = rows.size();
  view.context.communicator->sum({&count, 1});
  if (count == 0) {
    fail(ErrorKind::kInput,
         "sampling leaves no document: no grade is above {}, and no query has enough others; raise "
         "sample.top or set sample.min_negatives",
         params_.negative_grade);
  }
  return true;
}

}  // namespace glassrank
