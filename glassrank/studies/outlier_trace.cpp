#include "glassrank/studies/outlier_trace.h"

#include <map>
#include <utility>

#include "glassrank/base/parallel.h"
#include "glassrank/data/relevance.h"
#include "glassrank/models/forest/score_trace.h"

namespace glassrank {
namespace {

void finish(OutlierHistory& history, std::size_t num_rounds) {
  history.first_right = num_rounds + 1;
  for (std::size_t t = num_rounds; t > 0; --t) {
    if (history.after(t)) {
      ++history.num_rounds;
      continue;
    }
    history.first_right = t;
    if (history.last_right == 0) history.last_right = t;
  }
}

std::vector<OutlierHistory> trace_query(const Forest& forest, const Dataset& data,
                                        std::size_t query, const OutlierRule& rule) {
  const RowRange range = data.queries().rows(query);
  const auto grades = data.grades().subspan(range.begin, range.size());
  const std::size_t num_rounds = forest.trees().size();
  std::map<std::uint32_t, OutlierHistory> found;  // by slot
  trace_scores(forest, rows_between(data.features(), range.begin, range.end),
               [&](std::size_t num_trees, std::span<const double> scores) {
                 for (const std::uint32_t slot : find_outliers(grades, scores, rule)) {
                   OutlierHistory& history = found[slot];
                   history.words.resize((num_rounds + 63) / 64);
                   history.words[(num_trees - 1) / 64] |= std::uint64_t{1} << (num_trees - 1) % 64;
                 }
               });
  std::vector<OutlierHistory> histories;
  for (auto& [slot, history] : found) {
    history.row = static_cast<std::uint32_t>(range.begin + slot);
    history.is_negative = !is_relevant(grades[slot], rule.negative_grade);
    finish(history, num_rounds);
    histories.push_back(std::move(history));
  }
  return histories;
}

}  // namespace

bool OutlierHistory::is_consistent(std::size_t start, std::size_t end) const {
  // The two windows that matter most need no look at the rounds.
  if (last_right < start) return true;
  if (start <= 1) return first_right > end;
  for (std::size_t t = start; t <= end; ++t) {
    if (!after(t)) return false;
  }
  return true;
}

OutlierTrace trace_outliers(const Forest& forest, const Dataset& data, const OutlierRule& rule,
                            const Context& context) {
  std::vector<std::vector<OutlierHistory>> queries(data.num_queries());
  Progress progress(context, "finding outliers", "queries", data.num_queries());
  parallel_for(context, data.num_queries(), 8, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    for (std::size_t q = begin; q < end; ++q) queries[q] = trace_query(forest, data, q, rule);
    progress.add(end - begin);
  });
  progress.report();
  OutlierTrace trace{.num_rounds = forest.trees().size(), .documents = {}};
  for (std::vector<OutlierHistory>& query : queries) {
    for (OutlierHistory& history : query) trace.documents.push_back(std::move(history));
  }
  return trace;
}

WindowCount count_consistent(const OutlierTrace& trace, std::size_t start, std::size_t end) {
  WindowCount count{.start = start, .end = end};
  for (const OutlierHistory& document : trace.documents) {
    if (!document.is_consistent(start, end)) continue;
    ++(document.is_negative ? count.negative : count.positive);
  }
  return count;
}

std::vector<std::uint32_t> consistent_rows(const OutlierTrace& trace, std::size_t start,
                                           std::size_t end, DocumentType type) {
  std::vector<std::uint32_t> rows;
  for (const OutlierHistory& document : trace.documents) {
    const bool is_wanted =
        type == DocumentType::kAll || (type == DocumentType::kNeg) == document.is_negative;
    if (is_wanted && document.is_consistent(start, end)) rows.push_back(document.row);
  }
  return rows;
}

}  // namespace glassrank
