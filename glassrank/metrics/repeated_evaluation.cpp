#include "glassrank/metrics/repeated_evaluation.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <numeric>
#include <optional>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/math/exact_sum.h"
#include "glassrank/metrics/registry.h"

namespace glassrank {
namespace {

constexpr std::size_t kQueriesPerChunk = 64;
// Up to this many ranks, inserting into a short sorted list beats sorting.
constexpr std::size_t kShallow = 32;

using Entry = RankingScratch::Entry;

bool is_before(const Entry& a, const Entry& b) {
  return a.score != b.score ? a.score > b.score : a.slot < b.slot;
}

// Into the sorted entries before `place`, the last of which drops out of `best` if it was full.
void insert(const Entry& entry, std::size_t place, std::span<Entry> best) {
  for (; place > 0 && is_before(entry, best[place - 1]); --place) best[place] = best[place - 1];
  best[place] = entry;
}

}  // namespace

void rank_again(std::span<const double> scores, std::span<std::uint32_t> order,
                RepeatedScratch& scratch) {
  const std::size_t depth = order.size();
  if (depth == 0) return;
  scratch.ranking.entries.resize(std::max(depth, scratch.ranking.entries.size()));
  const std::span<Entry> best = std::span(scratch.ranking.entries).first(depth);
  std::vector<double>& rest = scratch.scores;
  if (depth < scores.size()) rest.assign(scores.begin(), scores.end());
  for (std::size_t i = 0; i < depth; ++i) {
    insert({scores[order[i]], order[i]}, i, best);
    // NaN is not at least anything: it is passed over below.
    if (depth < scores.size()) rest[order[i]] = std::numeric_limits<double>::quiet_NaN();
  }
  if (depth < scores.size()) {
    for (std::uint32_t slot = 0; slot < rest.size(); ++slot) {
      if (!(rest[slot] >= best[depth - 1].score)) continue;
      const Entry entry{rest[slot], slot};
      if (is_before(entry, best[depth - 1])) insert(entry, depth - 1, best);
    }
  }
  for (std::size_t i = 0; i < depth; ++i) order[i] = best[i].slot;
}

RepeatedEvaluation::RepeatedEvaluation(std::span<const float> grades, const QueryGroups& queries,
                                       std::span<const MetricSpec> metrics,
                                       const Convention& convention)
    : grades_(grades),
      queries_(queries),
      needs_{.ties = convention.ties, .depth = 0, .tie_groups = false},
      rounds_scores_(convention.score_precision == ScorePrecision::kFloat32) {
  for (const MetricSpec& spec : metrics) {
    metrics_.push_back(make_metric(spec, convention));
    needs_.depth = std::max(needs_.depth, metrics_.back()->depth());
    needs_.tie_groups |= metrics_.back()->needs_tie_groups();
    looks_at_grades_alone_ &= spec.own == nullptr;
  }
  const bool has_one_order = needs_.ties == Ties::kInput && !needs_.tie_groups;
  looks_at_grades_alone_ &= has_one_order;
  is_shallow_ = has_one_order && needs_.depth <= kShallow;
  find_ideals();
  order_stride_ = is_shallow_ ? needs_.depth : 0;
  orders_.resize(queries_.num_queries() * order_stride_);
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    orders_[i] = static_cast<std::uint32_t>(i % order_stride_);
  }
  values_.resize(queries_.num_queries() * metrics_.size());
  settle();
}

void RepeatedEvaluation::find_ideals() {
  ideals_.reserve(queries_.num_queries() * metrics_.size());
  for (std::size_t q = 0; q < queries_.num_queries(); ++q) {
    const RowRange rows = queries_.rows(q);
    for (const auto& metric : metrics_) {
      try {
        ideals_.push_back(metric->ideal(grades_.subspan(rows.begin, rows.size()), {}));
      } catch (Error& error) {
        error.add_context("query " + queries_.id(q));
        throw;
      }
    }
  }
}

void RepeatedEvaluation::settle() {
  settled_.assign(queries_.num_queries(), 0);
  if (!looks_at_grades_alone_) return;
  RepeatedScratch scratch;
  std::vector<double> scores;
  for (std::size_t q = 0; q < settled_.size(); ++q) {
    const RowRange rows = queries_.rows(q);
    const auto own = grades_.subspan(rows.begin, rows.size());
    if (std::ranges::any_of(own, [&](float grade) { return grade != own.front(); })) continue;
    scores.assign(rows.size(), 0.0);
    values(q, scores, std::span(orders_).subspan(q * order_stride_, order_size(q)), scratch,
           std::span(values_).subspan(q * metrics_.size(), metrics_.size()));
    settled_[q] = 1;
  }
}

std::size_t RepeatedEvaluation::order_size(std::size_t query) const {
  return is_shallow_ ? std::min(needs_.depth, queries_.rows(query).size()) : 0;
}

double RepeatedEvaluation::value_of(std::size_t metric, std::size_t query, Ranking& ranking) const {
  const Metric& own = *metrics_[metric];
  ranking.ideal = ideals_[query * metrics_.size() + metric];
  try {
    const double value = own.evaluate(ranking);
    if (!std::isnan(value)) return value;
  } catch (Error& error) {
    error.add_context("query " + queries_.id(query));
    throw;
  }
  return own.empty().skip ? std::numeric_limits<double>::quiet_NaN() : own.empty().value;
}

void RepeatedEvaluation::values(std::size_t query, std::span<const double> scores,
                                std::span<std::uint32_t> order, RepeatedScratch& scratch,
                                std::span<double> out) const {
  const RowRange rows = queries_.rows(query);
  const auto grades = grades_.subspan(rows.begin, rows.size());
  if (rounds_scores_) {
    scratch.rounded.assign(scores.size(), 0.0);
    for (std::size_t d = 0; d < scores.size(); ++d) {
      scratch.rounded[d] = static_cast<float>(scores[d]);
    }
    scores = scratch.rounded;
  }
  Ranking ranking;
  if (is_shallow_) {
    rank_again(scores, order, scratch);
    std::vector<float>& ranked = scratch.ranking.grades;
    ranked.resize(order.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) ranked[rank] = grades[order[rank]];
    ranking.grades = ranked;
    ranking.listed = grades;
  } else {
    const bool tied = needs_.ties == Ties::kInput || has_ties(scores, scratch.ranking);
    ranking = rank_documents(
        {.scores = scores, .grades = grades, .document_ids = {}, .missed_grades = {}}, needs_, tied,
        scratch.ranking);
  }
  ranking.query = query;
  ranking.query_id = queries_.id(query);
  for (std::size_t m = 0; m < metrics_.size(); ++m) out[m] = value_of(m, query, ranking);
}

void RepeatedEvaluation::check_scores(
    std::size_t query, std::span<const double> scores,
    const std::function<std::string(std::size_t row)>& document_name) const {
  bool any = false;
  for (const double score : scores) any |= std::isnan(score);
  if (!any) return;
  const auto bad = std::ranges::find_if(scores, [](double score) { return std::isnan(score); });
  const auto slot = static_cast<std::size_t>(bad - scores.begin());
  fail(ErrorKind::kInput, "query {}, document {}: the score is not a number", queries_.id(query),
       document_name ? document_name(queries_.rows(query).begin + slot) : std::to_string(slot + 1));
}

std::vector<double> RepeatedEvaluation::means(
    std::span<const double> scores, const Context& context,
    const std::function<std::string(std::size_t row)>& document_name) {
  const std::size_t width = metrics_.size();
  const std::size_t num_queries = queries_.num_queries();
  std::vector<std::exception_ptr> errors((num_queries + kQueriesPerChunk - 1) / kQueriesPerChunk);
  parallel_for(context, num_queries, kQueriesPerChunk, [&](std::size_t begin, std::size_t end) {
    RepeatedScratch scratch;
    try {
      for (std::size_t q = begin; q < end; ++q) {
        const RowRange rows = queries_.rows(q);
        const auto own = scores.subspan(rows.begin, rows.size());
        check_scores(q, own, document_name);
        if (is_settled(q)) continue;
        values(q, own, std::span(orders_).subspan(q * order_stride_, order_size(q)), scratch,
               std::span(values_).subspan(q * width, width));
      }
    } catch (...) {
      errors[begin / kQueriesPerChunk] = std::current_exception();
    }
  });
  // Of the first bad query, whichever was met first.
  agree(context, [&] {
    for (const std::exception_ptr& error : errors) {
      if (error) std::rethrow_exception(error);
    }
  });
  std::vector<ExactSum> sums(width);
  std::vector<std::uint64_t> counts(width);
  for (std::size_t q = 0; q < num_queries; ++q) {
    for (std::size_t m = 0; m < width; ++m) {
      const double value = values_[q * width + m];
      if (std::isnan(value)) continue;
      sums[m].add(value);
      ++counts[m];
    }
  }
  add_up(sums, *context.communicator);
  context.communicator->sum(counts);
  std::vector<double> means(width);
  for (std::size_t m = 0; m < width; ++m) {
    means[m] = sums[m].value() / static_cast<double>(counts[m]);
  }
  return means;
}

}  // namespace glassrank
