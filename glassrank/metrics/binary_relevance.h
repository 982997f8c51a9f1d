#pragma once
// What metrics of binary relevance share: a document is relevant if its grade is at least `rel`
// (parameter of the metric) or the convention's relevant_grade.

#include <cstddef>

#include "glassrank/data/relevance.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {

inline constexpr MetricParam kRelevantParam{.name = "rel",
                                            .default_text = "relevant_grade",
                                            .doc = "smallest grade that counts as relevant",
                                            .range = kPositive};

class BinaryMetric : public Metric {
 public:
  BinaryMetric(const MetricSpec& spec, const Convention& convention, EmptyQuery empty)
      : Metric(spec.cutoff, empty),
        relevant_grade_(spec.param("rel").value_or(convention.relevant_grade)) {}

  // NaN for queries without a relevant document, evaluate_relevant for all others.
  double evaluate(const Ranking& ranking) const final;
  bool is_relevant(float grade) const { return is_relevant_from(grade, relevant_grade_); }

 protected:
  // `num_relevant` (at least 1) counts all judged documents, listed or not.
  virtual double evaluate_relevant(const Ranking& ranking, std::size_t num_relevant) const = 0;

  // Relevant judged documents, listed or not.
  std::size_t num_relevant(const Ranking& ranking) const {
    return count_relevant(ranking, relevant_grade_);
  }
  std::size_t count(const Ranking& ranking, std::size_t begin, std::size_t end) const;
  // Number of relevant documents among the first depth() ranks; the expected one when ties are
  // averaged: a run over ranks [b, e) with r relevant ones adds r * (min(e, k) - b) / (e - b).
  double hits(const Ranking& ranking) const { return hits(ranking, depth()); }
  // The same for another number of ranks.
  double hits(const Ranking& ranking, std::size_t num_ranks) const;

 private:
  double relevant_grade_;
};

}  // namespace glassrank
