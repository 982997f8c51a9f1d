#include "glassrank/metrics/ranking.h"

#include <algorithm>
#include <bit>

#include "glassrank/base/error.h"
#include "glassrank/data/relevance.h"

namespace glassrank {
namespace {

using Entry = RankingScratch::Entry;

// Up to this depth, inserting into a short sorted list beats sorting.
constexpr std::size_t kShallow = 32;

// The best `depth` documents, earlier input first among equal scores.
void select_top(std::span<const double> scores, std::size_t depth, std::vector<Entry>& best) {
  best.resize(depth);
  std::size_t size = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double score = scores[i];
    if (size == depth) {
      if (!(score > best[depth - 1].score)) continue;
    } else {
      ++size;
    }
    std::size_t place = size - 1;
    for (; place > 0 && score > best[place - 1].score; --place) best[place] = best[place - 1];
    best[place] = {score, static_cast<std::uint32_t>(i)};
  }
}

// Sorts the first `depth` entries by score descending, `breaks_tie(a, b)` among equal scores.
template <typename BreaksTie>
void sort_entries(std::vector<Entry>& entries, std::size_t depth, BreaksTie&& breaks_tie) {
  const auto before = [&](const Entry& a, const Entry& b) {
    return a.score != b.score ? a.score > b.score : breaks_tie(a.slot, b.slot);
  };
  if (depth < entries.size() / 4) {
    std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(depth),
                      entries.end(), before);
  } else {
    std::sort(entries.begin(), entries.end(), before);
  }
}

void sort_by_policy(const RankedList& list, Ties ties, std::size_t depth,
                    std::vector<Entry>& entries) {
  entries.resize(list.scores.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i] = {list.scores[i], static_cast<std::uint32_t>(i)};
  }
  switch (ties) {
    case Ties::kInput:
    case Ties::kAverage:
      sort_entries(entries, depth, [](auto a, auto b) { return a < b; });
      return;
    case Ties::kReverse:
      sort_entries(entries, depth, [](auto a, auto b) { return a > b; });
      return;
    case Ties::kWorst:
      sort_entries(entries, depth, [&](auto a, auto b) {
        return list.grades[a] != list.grades[b] ? list.grades[a] < list.grades[b] : a < b;
      });
      return;
    case Ties::kDocumentId:
      if (list.document_ids.empty()) {
        fail(ErrorKind::kUsage,
             "ties = docid needs document ids; the data has none (choose other ties, for example "
             "ties = input)");
      }
      sort_entries(entries, depth, [&](auto a, auto b) {
        const int order = list.document_ids[a].compare(list.document_ids[b]);
        return order != 0 ? order > 0 : a < b;
      });
      return;
  }
}

void find_tie_ends(std::span<const Entry> entries, std::vector<std::size_t>& ends) {
  ends.clear();
  for (std::size_t i = 1; i <= entries.size(); ++i) {
    if (i == entries.size() || entries[i].score != entries[i - 1].score) ends.push_back(i);
  }
}

}  // namespace

bool has_ties(std::span<const double> scores, RankingScratch& scratch) {
  // A hash set that is emptied by moving on to the next epoch.
  const std::size_t num_cells = std::bit_ceil(std::max<std::size_t>(2 * scores.size(), 16));
  if (scratch.cells.size() < num_cells || scratch.epoch == UINT32_MAX) {
    scratch.cells.assign(std::max(num_cells, scratch.cells.size()), {0.0, 0});
    scratch.epoch = 0;
  }
  const std::uint32_t epoch = ++scratch.epoch;
  const std::size_t mask = num_cells - 1;
  const int shift = 64 - std::countr_zero(num_cells);
  for (const double raw : scores) {
    const double score = raw + 0.0;  // -0 equals 0
    const auto bits = std::bit_cast<std::uint64_t>(score);
    std::size_t cell = static_cast<std::size_t>((bits * 0x9E3779B97F4A7C15U) >> shift);
    for (; scratch.cells[cell].epoch == epoch; cell = (cell + 1) & mask) {
      if (scratch.cells[cell].score == score) return true;
    }
    scratch.cells[cell] = {score, epoch};
  }
  return false;
}

Ranking rank_documents(const RankedList& list, const RankingNeeds& needs, bool tied,
                       RankingScratch& scratch) {
  const std::size_t num_documents = list.scores.size();
  const bool averages = tied && needs.ties == Ties::kAverage;
  const bool wants_groups = averages || needs.tie_groups;
  // A run of equal scores may reach beyond the cutoff.
  const std::size_t depth = wants_groups ? num_documents : std::min(needs.depth, num_documents);
  // Without ties every policy gives the same order.
  const Ties ties = tied ? needs.ties : Ties::kInput;
  if (ties == Ties::kInput && depth <= kShallow && depth < num_documents) {
    select_top(list.scores, depth, scratch.entries);
  } else {
    sort_by_policy(list, ties, depth, scratch.entries);
  }
  scratch.grades.resize(depth);
  for (std::size_t i = 0; i < depth; ++i) {
    scratch.grades[i] = list.grades[scratch.entries[i].slot];
  }
  scratch.judged.resize(list.judged.empty() ? 0 : depth);
  for (std::size_t i = 0; i < scratch.judged.size(); ++i) {
    scratch.judged[i] = list.judged[scratch.entries[i].slot];
  }
  Ranking ranking{.grades = scratch.grades,
                  .tie_ends = {},
                  .average_ties = averages,
                  .listed = list.grades,
                  .missed = list.missed_grades,
                  .judged = scratch.judged};
  if (wants_groups) {
    find_tie_ends({scratch.entries.data(), depth}, scratch.tie_ends);
    ranking.tie_ends = scratch.tie_ends;
  }
  return ranking;
}

std::size_t count_relevant(const Ranking& ranking, double relevant_grade) {
  const auto is_relevant = [&](float grade) { return is_relevant_from(grade, relevant_grade); };
  return static_cast<std::size_t>(std::ranges::count_if(ranking.listed, is_relevant) +
                                  std::ranges::count_if(ranking.missed, is_relevant));
}

}  // namespace glassrank
