#pragma once
// Metrics of the same documents ranked again and again: after every round of training, at every try
// of coordinate ascent. The values are those of evaluate(), to the last bit; what depends on the
// grades alone is found once:
//
//   ideals           of ndcg and dcg
//   settled queries  all grades equal, so that every order has the same value: not ranked at all
//   the last order   of a query's first ranks is where the next search for them begins: scores of
//                    neighbouring rounds differ little
// Cost of a query of n documents: about n comparisons up to the cutoff 32; beyond it that of
// rank_documents. Memory: a number per query, metric and rank.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/query_groups.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/metrics/ranking.h"

namespace glassrank {

// Room that one thread reuses from query to query.
struct RepeatedScratch {
  RankingScratch ranking;
  std::vector<double> scores;
  std::vector<double> rounded;
};

// Puts the best order.size() documents into `order`, best first, earlier input first among equal
// scores. `order` holds as many different slots before: the nearer to the result, the faster.
void rank_again(std::span<const double> scores, std::span<std::uint32_t> order,
                RepeatedScratch& scratch);

class RepeatedEvaluation {
 public:
  // Grades and queries must outlive it. Throws Error{kInput} naming the query for a grade that a
  // metric cannot use.
  RepeatedEvaluation(std::span<const float> grades, const QueryGroups& queries,
                     std::span<const MetricSpec> metrics, const Convention& convention);

  std::size_t num_metrics() const { return metrics_.size(); }
  // Whether the values of a query are the same for every ranking.
  bool is_settled(std::size_t query) const { return settled_[query] != 0; }
  // Whether the values follow from the grades in rank order: not from which scores are equal, nor
  // from anything else of a metric that the caller brought.
  bool looks_at_grades_alone() const { return looks_at_grades_alone_; }
  // How many slots `order` of values() has.
  std::size_t order_size(std::size_t query) const;

  // The value of each metric for one query with these scores; NaN where it does not count.
  void values(std::size_t query, std::span<const double> scores, std::span<std::uint32_t> order,
              RepeatedScratch& scratch, std::span<double> out) const;

  // One per metric, of the scores of all rows, over the queries of all machines that count; NaN if
  // none does. Collective; not from two threads at a time. Throws Error{kInput} naming query and
  // document when a score is NaN; documents go by their place where no names are.
  std::vector<double> means(std::span<const double> scores, const Context& context,
                            const std::function<std::string(std::size_t row)>& document_name = {});

 private:
  double value_of(std::size_t metric, std::size_t query, Ranking& ranking) const;
  void check_scores(std::size_t query, std::span<const double> scores,
                    const std::function<std::string(std::size_t row)>& document_name) const;
  void find_ideals();
  void settle();

  std::span<const float> grades_;
  const QueryGroups& queries_;
  RankingNeeds needs_;
  bool is_shallow_ = false;  // rank_again finds all that is needed
  bool rounds_scores_ = false;
  bool looks_at_grades_alone_ = true;
  std::vector<std::unique_ptr<Metric>> metrics_;
  std::vector<std::optional<double>> ideals_;  // [query][metric]
  std::vector<std::uint8_t> settled_;          // by query
  std::vector<double> values_;                 // [query][metric], of the last ranking
  std::vector<std::uint32_t> orders_;          // [query][rank], of the last ranking
  std::size_t order_stride_ = 0;
};

}  // namespace glassrank
