#pragma once
// For tests of objectives: one query's gradients, random queries, and derivatives of a loss by
// finite differences.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/objectives/objective.h"

namespace glassrank::testing {

struct QueryGradients {
  std::vector<float> gradient;
  std::vector<float> hessian;
  bool operator==(const QueryGradients&) const = default;
};

inline QueryGradients gradients_of(const Objective& objective, const QueryView& query) {
  QueryGradients result{.gradient = std::vector<float>(query.grades.size(), NAN),
                        .hessian = std::vector<float>(query.grades.size(), NAN)};
  ObjectiveScratch scratch;
  objective.gradients(query, scratch, {.gradient = result.gradient, .hessian = result.hessian});
  return result;
}

// Prepared for a training set of this one query.
inline QueryGradients gradients_of(Objective& objective, const std::vector<float>& grades,
                                   const std::vector<double>& scores) {
  const QueryGroups queries({"q"}, std::array{grades.size()});
  objective.prepare({.grades = grades, .weights = {}, .queries = queries});
  return gradients_of(objective, QueryView{.grades = grades, .scores = scores});
}

struct RandomQuery {
  std::vector<float> grades;
  std::vector<double> scores;
};

// Whole grades below `num_grades`, normal scores.
inline RandomQuery random_query(std::uint64_t seed, std::size_t n, std::uint64_t num_grades = 5) {
  const CounterRandom random(seed, "objective_fixture");
  RandomQuery query;
  for (std::size_t i = 0; i < n; ++i) {
    query.grades.push_back(static_cast<float>(random.below(2 * i, num_grades)));
    query.scores.push_back(random.normal(2 * i + 1));
  }
  return query;
}

using Loss = std::function<double(const std::vector<double>& scores)>;

// d loss / d score_i by central differences; error about 1e-9.
inline double slope(const Loss& loss, std::vector<double> scores, std::size_t i) {
  constexpr double kStep = 1e-5;
  const double middle = scores[i];
  scores[i] = middle + kStep;
  const double up = loss(scores);
  scores[i] = middle - kStep;
  return (up - loss(scores)) / (2 * kStep);
}

// d^2 loss / d score_i d score_j; error about 1e-6.
inline double curvature(const Loss& loss, std::vector<double> scores, std::size_t i,
                        std::size_t j) {
  constexpr double kStep = 1e-4;
  const auto slope_at = [&](double offset) {
    std::vector<double> moved = scores;
    moved[j] += offset;
    moved[i] += kStep;
    const double up = loss(moved);
    moved[i] -= 2 * kStep;
    return (up - loss(moved)) / (2 * kStep);
  };
  return (slope_at(kStep) - slope_at(-kStep)) / (2 * kStep);
}

}  // namespace glassrank::testing
