#include "glassrank/metrics/cascade.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

// E_0 .. E_places for the continuation probabilities of a run.
std::vector<double> expected_products(std::span<const double> continues, std::size_t places) {
  std::vector<double> expected(places + 1, 0.0);
  expected[0] = 1;
  for (std::size_t n = 0; n < continues.size(); ++n) {
    const auto size = static_cast<double>(n + 1);
    for (std::size_t j = std::min(n + 1, places); j > 0; --j) {
      const auto drawn = static_cast<double>(j);
      expected[j] = ((size - drawn) * expected[j] + drawn * continues[n] * expected[j - 1]) / size;
    }
  }
  return expected;
}

}  // namespace

CascadeReader::CascadeReader(const MetricSpec& spec, const Convention& convention)
    : kind_(convention.stop),
      max_grade_(spec.param("max").value_or(convention.max_grade)),
      cutoff_(spec.cutoff) {}

double CascadeReader::stop_at(double grade, double max_grade) const {
  if (grade <= 0) return 0;
  if (kind_ == StopProbability::kGrade) {
    if (grade > 1) {
      fail(ErrorKind::kInput,
           "grade {} is not a probability; stop = grade needs grades from 0 to 1", grade);
    }
    return grade;
  }
  if (grade > max_grade) {
    fail(ErrorKind::kInput,
         "grade {} is above the largest grade {} of err and pfound; set max_grade, or max as in "
         "err(max={})",
         grade, max_grade, grade);
  }
  return exponential_gain(grade) / std::exp2(max_grade);
}

std::optional<std::vector<double>> CascadeReader::satisfactions(const Ranking& ranking,
                                                                std::size_t depth) const {
  double largest = 0;
  for (const float grade : ranking.listed) largest = std::max<double>(largest, grade);
  for (const float grade : ranking.missed) largest = std::max<double>(largest, grade);
  if (largest == 0) return std::nullopt;
  const double max_grade = max_grade_ > 0 ? max_grade_ : largest;
  stop_at(largest, max_grade);  // refuses a scale that does not fit, also beyond the cutoff

  std::vector<double> satisfied(std::min(depth, ranking.grades.size()));
  for (std::size_t rank = 0; rank < satisfied.size(); ++rank) {
    satisfied[rank] = stop_at(ranking.grades[rank], max_grade);
  }
  return satisfied;
}

std::optional<std::vector<double>> CascadeReader::stop_probabilities(const Ranking& ranking) const {
  // A run that begins above the cutoff counts as a whole.
  const auto satisfied = satisfactions(ranking, ranking.average_ties ? kNoCutoff : cutoff_);
  if (!satisfied) return std::nullopt;
  const std::size_t depth = std::min(cutoff_, ranking.grades.size());
  std::vector<double> stops(depth);
  double reach = 1;
  if (!ranking.average_ties) {
    for (std::size_t rank = 0; rank < depth; ++rank) {
      stops[rank] = reach * (*satisfied)[rank];
      reach *= 1 - (*satisfied)[rank];
    }
    return stops;
  }
  std::vector<double> continues;
  for_each_tie_group(ranking, depth, [&](std::size_t begin, std::size_t end) {
    continues.clear();
    for (std::size_t rank = begin; rank < end; ++rank) {
      continues.push_back(1 - (*satisfied)[rank]);
    }
    const std::size_t places = std::min(end, depth) - begin;
    const std::vector<double> expected = expected_products(continues, places);
    for (std::size_t j = 0; j < places; ++j) {
      stops[begin + j] = reach * (expected[j] - expected[j + 1]);
    }
    reach *= expected[places];  // only used when the whole run lies above the cutoff
  });
  return stops;
}

}  // namespace glassrank
