#include "glassrank/metrics/evaluate.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/document_name.h"
#include "glassrank/math/exact_sum.h"
#include "glassrank/metrics/registry.h"

namespace glassrank {
namespace {

constexpr std::size_t kQueriesPerChunk = 64;

struct Counts {
  std::size_t num_documents = 0;
  std::size_t num_tied = 0;
  double greatest_grade = 0;
  std::vector<std::size_t> num_empty;  // per metric
  std::exception_ptr error;            // of the chunk's first bad query
};

class Evaluator {
 public:
  Evaluator(const ListSource& lists, std::span<const MetricSpec> specs,
            const Convention& convention)
      : lists_(lists),
        needs_{.ties = convention.ties, .depth = 0, .tie_groups = false},
        rounds_scores_(convention.score_precision == ScorePrecision::kFloat32) {
    for (const MetricSpec& spec : specs) {
      metrics_.push_back(make_metric(spec, convention));
      has_own_ = has_own_ || spec.own;
      needs_.depth = std::max(needs_.depth, metrics_.back()->depth());
      needs_.tie_groups |= metrics_.back()->needs_tie_groups();
      values_.emplace_back(lists.num_queries());
    }
  }

  Counts run(const Context& context) {
    const auto chunk = [&](std::size_t begin, std::size_t end) {
      Counts counts;
      counts.num_empty.resize(metrics_.size());
      Scratch scratch;
      try {
        for (std::size_t query = begin; query < end; ++query) one_query(query, scratch, counts);
      } catch (...) {
        counts.error = std::current_exception();
      }
      return counts;
    };
    Counts none;
    none.num_empty.resize(metrics_.size());
    return ordered_reduce(context, lists_.num_queries(), kQueriesPerChunk, none, chunk,
                          [](Counts& total, Counts&& part) {
                            total.num_documents += part.num_documents;
                            total.num_tied += part.num_tied;
                            total.greatest_grade =
                                std::max(total.greatest_grade, part.greatest_grade);
                            for (std::size_t m = 0; m < total.num_empty.size(); ++m) {
                              total.num_empty[m] += part.num_empty[m];
                            }
                            if (!total.error) total.error = part.error;
                          });
  }

  std::vector<double>&& take_values(std::size_t metric) { return std::move(values_[metric]); }

 private:
  struct Scratch {
    RankingScratch ranking;
    std::vector<std::string_view> ids;
    std::vector<double> rounded;
  };

  void one_query(std::size_t query, Scratch& scratch, Counts& counts) {
    RankedList list = lists_.list(query, needs_.ties == Ties::kDocumentId, scratch.ids);
    if (rounds_scores_) list.scores = round_scores(list.scores, scratch.rounded);
    check_scores(query, list.scores);
    const bool tied = has_ties(list.scores, scratch.ranking);
    Ranking ranking = rank_documents(list, needs_, tied, scratch.ranking);
    std::string id;
    if (has_own_) {
      id = lists_.query_name(query);
      ranking.query = query;
      ranking.query_id = id;
    }
    counts.num_documents += list.scores.size();
    counts.num_tied += tied;
    for (const std::span<const float> grades : {list.grades, list.missed_grades}) {
      for (const float grade : grades) {
        counts.greatest_grade = std::max(counts.greatest_grade, static_cast<double>(grade));
      }
    }
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      double value = evaluate_one(*metrics_[m], ranking, query);
      if (std::isnan(value)) {
        ++counts.num_empty[m];
        const EmptyQuery& empty = metrics_[m]->empty();
        if (!empty.skip) value = empty.value;
      }
      values_[m][query] = value;
    }
  }

  static std::span<const double> round_scores(std::span<const double> scores,
                                              std::vector<double>& rounded) {
    rounded.clear();
    for (const double score : scores) rounded.push_back(static_cast<float>(score));
    return rounded;
  }

  double evaluate_one(const Metric& metric, const Ranking& ranking, std::size_t query) const {
    try {
      return metric.evaluate(ranking);
    } catch (Error& error) {
      error.add_context("query " + lists_.query_name(query));
      throw;
    }
  }

  void check_scores(std::size_t query, std::span<const double> scores) const {
    bool any = false;
    for (const double score : scores) any |= std::isnan(score);
    if (!any) return;
    const auto bad = std::ranges::find_if(scores, [](double score) { return std::isnan(score); });
    fail(ErrorKind::kInput, "query {}, document {}: the score is not a number",
         lists_.query_name(query),
         lists_.document_name(query, static_cast<std::size_t>(bad - scores.begin())));
  }

  const ListSource& lists_;
  RankingNeeds needs_;
  bool rounds_scores_;
  bool has_own_ = false;  // a metric of the caller
  std::vector<std::unique_ptr<Metric>> metrics_;
  std::vector<std::vector<double>> values_;  // [metric][query]
};

// Means over the queries of all machines.
void add_means(std::vector<MetricValues>& metrics, const Context& context) {
  std::vector<ExactSum> sums(metrics.size());
  std::vector<std::uint64_t> counts;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    for (const double value : metrics[m].values) {
      if (std::isnan(value)) continue;
      sums[m].add(value);
      ++metrics[m].num_counted;
    }
    counts.push_back(metrics[m].num_counted);
    counts.push_back(metrics[m].num_empty);
  }
  add_up(sums, *context.communicator);
  context.communicator->sum(counts);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    metrics[m].sum = sums[m].value();
    metrics[m].num_counted = counts[2 * m];
    metrics[m].num_empty = counts[2 * m + 1];
    metrics[m].mean = counts[2 * m] == 0
                          ? std::numeric_limits<double>::quiet_NaN()
                          : metrics[m].sum / static_cast<double>(metrics[m].num_counted);
  }
}

}  // namespace

DatasetLists::DatasetLists(const RowTable& table, std::span<const double> scores)
    : table_(table), scores_(scores) {
  if (scores.size() != table.num_rows()) {
    fail(ErrorKind::kInput, "{} scores for {} documents; there must be one per document",
         scores.size(), table.num_rows());
  }
}

RankedList DatasetLists::list(std::size_t query, bool with_ids,
                              std::vector<std::string_view>& ids) const {
  const RowRange rows = table_.queries.rows(query);
  ids.clear();
  if (with_ids && !table_.document_ids.empty()) {
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      ids.push_back(table_.document_ids[row]);
    }
  }
  return {.scores = scores_.subspan(rows.begin, rows.size()),
          .grades = std::span<const float>(table_.grades).subspan(rows.begin, rows.size()),
          .document_ids = ids,
          .missed_grades = {}};
}

std::string DatasetLists::query_name(std::size_t query) const { return table_.queries.id(query); }

std::string DatasetLists::document_name(std::size_t query, std::size_t slot) const {
  return glassrank::document_name(table_.document_ids, table_.queries,
                                  table_.queries.rows(query).begin + slot);
}

Evaluation evaluate(const ListSource& lists, std::span<const MetricSpec> metrics,
                    const Convention& convention, const Context& context) {
  Evaluator evaluator(lists, metrics, convention);
  const Counts own = evaluator.run(context);
  agree(context, [&] {
    if (own.error) std::rethrow_exception(own.error);
  });
  std::uint64_t counts[] = {lists.num_queries(), own.num_documents, own.num_tied};
  context.communicator->sum(counts);
  double greatest[] = {own.greatest_grade};
  context.communicator->max(greatest);
  Evaluation evaluation{.convention = convention,
                        .metrics = {},
                        .num_queries = counts[0],
                        .num_documents = counts[1],
                        .num_tied = counts[2],
                        .greatest_grade = greatest[0]};
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    MetricValues& result = evaluation.metrics.emplace_back();
    result.metric = metrics[m];
    result.values = evaluator.take_values(m);
    result.num_empty = own.num_empty[m];
  }
  add_means(evaluation.metrics, context);
  return evaluation;
}

}  // namespace glassrank
