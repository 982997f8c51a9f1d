#include "glassrank/studies/rank_trace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "glassrank/base/error.h"
#include "glassrank/data/relevance.h"
#include "glassrank/models/forest/score_trace.h"

namespace glassrank {

RankTrace trace_ranks(const Forest& forest, const Dataset& data, std::size_t query) {
  const RowRange rows = data.queries().rows(query);
  RankTrace trace{.num_rounds = forest.trees().size(), .ranks = {}};
  trace.ranks.assign(rows.size(), std::vector<std::uint32_t>(trace.num_rounds));
  std::vector<std::uint32_t> order(rows.size());
  trace_scores(forest, rows_between(data.features(), rows.begin, rows.end),
               [&](std::size_t num_trees, std::span<const double> scores) {
                 std::iota(order.begin(), order.end(), 0U);
                 std::ranges::stable_sort(order, std::greater<>(),
                                          [&](std::uint32_t slot) { return scores[slot]; });
                 for (std::size_t r = 0; r < order.size(); ++r) {
                   trace.ranks[order[r]][num_trees - 1] = static_cast<std::uint32_t>(r);
                 }
               });
  return trace;
}

std::size_t bottom_size(std::size_t num_documents, double share) {
  return static_cast<std::size_t>(std::llround(share * static_cast<double>(num_documents)));
}

std::vector<bool> always_at_bottom(const RankTrace& trace, std::span<const float> grades,
                                   double share, double negative_grade, std::size_t from) {
  const std::size_t n = trace.num_documents();
  const std::size_t first = n - bottom_size(n, share);
  std::vector<bool> found(n);
  for (std::size_t d = 0; d < n; ++d) {
    found[d] = from <= trace.num_rounds && !is_relevant(grades[d], negative_grade) &&
               std::all_of(trace.ranks[d].begin() + static_cast<std::ptrdiff_t>(from - 1),
                           trace.ranks[d].end(), [&](std::uint32_t r) { return r >= first; });
  }
  return found;
}

double share_of_bottom(const RankTrace& trace, const std::vector<bool>& documents, double share,
                       std::size_t round) {
  const std::size_t n = trace.num_documents();
  const std::size_t size = bottom_size(n, share);
  if (size == 0) return std::numeric_limits<double>::quiet_NaN();
  std::size_t inside = 0;
  for (std::size_t d = 0; d < n; ++d) {
    if (documents[d] && trace.ranks[d][round] >= n - size) ++inside;
  }
  return static_cast<double>(inside) / static_cast<double>(size);
}

std::size_t query_named(const QueryGroups& queries, const std::string& name) {
  if (queries.num_queries() == 0) fail(ErrorKind::kInput, "there are no queries");
  if (name.empty()) return 0;
  const auto found = std::ranges::find(queries.ids(), name);
  if (found == queries.ids().end()) fail(ErrorKind::kUsage, "there is no query '{}'", name);
  return static_cast<std::size_t>(found - queries.ids().begin());
}

}  // namespace glassrank
