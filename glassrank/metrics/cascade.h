#pragma once
// The cascade reader of err and pfound: reads from the top and stops at a document with the
// probability that it satisfies her.
//
//   P(stop at rank r) = s_r * product over q < r of (1 - s_q)
//   s = (2^grade - 1) / 2^max, or the grade itself, as the convention's `stop` says
//
// With ties averaged the expectation is exact. In a run of m documents let E_j be the expected
// product of (1 - s) over j of them drawn without replacement; stopping at the j-th place then has
// probability E_j - E_{j+1}, times the chance of reaching the run. E grows document by document:
//   E_j(n+1) = ((n+1-j) E_j(n) + j (1-s) E_{j-1}(n)) / (n+1)
// which costs O(m min(m, k)) for a run that begins above the cutoff k.

#include <cstddef>
#include <optional>
#include <vector>

#include "glassrank/metrics/metric.h"

namespace glassrank {

class CascadeReader {
 public:
  CascadeReader(const MetricSpec& spec, const Convention& convention);

  // s of the first `depth` ranks; nothing when no judged document can satisfy. Throws Error{kInput}
  // for a grade that gives no probability.
  std::optional<std::vector<double>> satisfactions(const Ranking& ranking, std::size_t depth) const;
  // P(stop at r) for every rank above the cutoff; nothing when no judged document can satisfy.
  std::optional<std::vector<double>> stop_probabilities(const Ranking& ranking) const;

 private:
  double stop_at(double grade, double max_grade) const;

  StopProbability kind_;
  double max_grade_;
  std::size_t cutoff_;
};

inline constexpr MetricParam kMaxGradeParam{
    .name = "max",
    .default_text = "max_grade",
    .doc = "largest grade of the scale; 0: the largest of each query",
    .range = kNotNegative};

}  // namespace glassrank
