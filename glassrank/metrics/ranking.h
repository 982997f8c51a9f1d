#pragma once
// From scores to the order a metric sees.
//
// RankedList is one query as a caller has it; rank_documents sorts it (only as deep as needed) and
// gives a Ranking: the grades in rank order, plus where runs of equal scores end when a metric has
// to know. Cost: O(n) for a small cutoff, O(n log n) otherwise; no allocation once the scratch has
// grown to the largest query.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "glassrank/metrics/convention.h"

namespace glassrank {

inline constexpr std::size_t kNoCutoff = std::numeric_limits<std::size_t>::max();

// One query's documents in input order. Nothing is owned.
struct RankedList {
  std::span<const double> scores;
  std::span<const float> grades;                   // one per score
  std::span<const std::string_view> document_ids;  // one per score, or empty
  std::span<const float> missed_grades;            // judged, but not in the list
  std::span<const char> judged = {};               // one per score, or empty: all are judged
};

// One query as a metric sees it. Nothing is owned.
struct Ranking {
  std::span<const float> grades;  // in rank order, down to the depth asked for
  // Ends (exclusive) of runs of equal score among `grades`; empty unless somebody needs them.
  std::span<const std::size_t> tie_ends;
  // The value is to be the expected one over the orders of each run; `tie_ends` is set.
  bool average_ties = false;
  // Every grade, for ideals and counts: those of the list in any order, and the missed ones.
  std::span<const float> listed;
  std::span<const float> missed;
  // Whether the documents of `grades` were judged at all; empty: all were.
  std::span<const char> judged = {};
  // Metric::ideal of these documents, from a caller who keeps it; none: the metric finds it.
  std::optional<double> ideal = {};
  // Which query it is: its number in the data and its id, told to metrics of the caller only.
  std::size_t query = 0;
  std::string_view query_id = {};

  bool is_judged(std::size_t rank) const { return judged.empty() || judged[rank] != 0; }
  std::size_t num_documents() const { return listed.size(); }
};

// How deep and how exact an order has to be.
struct RankingNeeds {
  Ties ties = Ties::kInput;
  std::size_t depth = kNoCutoff;
  bool tie_groups = false;  // tie_ends even when `ties` settles the order (kendall)
};

struct RankingScratch {
  struct Entry {
    double score;
    std::uint32_t slot;
  };
  struct Cell {
    double score;
    std::uint32_t epoch;
  };
  std::vector<Entry> entries;
  std::vector<float> grades;
  std::vector<char> judged;
  std::vector<std::size_t> tie_ends;
  std::vector<Cell> cells;
  std::uint32_t epoch = 0;
};

// Whether two scores are equal. Expected O(n).
bool has_ties(std::span<const double> scores, RankingScratch& scratch);

// `tied` is has_ties(list.scores). No score may be NaN. Throws Error{kUsage} when ties are to be
// broken by document ids and there are none.
Ranking rank_documents(const RankedList& list, const RankingNeeds& needs, bool tied,
                       RankingScratch& scratch);

// How many of all judged documents have at least this grade.
std::size_t count_relevant(const Ranking& ranking, double relevant_grade);

// Calls visit(begin, end) for the runs of equal score that begin before rank `depth`.
template <typename Visit>
void for_each_tie_group(const Ranking& ranking, std::size_t depth, Visit&& visit) {
  std::size_t begin = 0;
  for (const std::size_t end : ranking.tie_ends) {
    if (begin >= depth) return;
    visit(begin, end);
    begin = end;
  }
}

}  // namespace glassrank
