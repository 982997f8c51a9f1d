#pragma once
// How often each grade occurs among the documents of a training set, and draws from that.
//
// Counts documents, whatever their weights; with several machines those of all of them. Draws cost
// one binary search over the different grades.

#include <cstdint>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/objectives/objective.h"

namespace glassrank {

class GradeDistribution {
 public:
  GradeDistribution() = default;
  explicit GradeDistribution(const ObjectiveData& data);

  // A grade with the chance its share of the documents gives it; needs a document.
  float draw(const CounterRandom& random, std::uint64_t counter) const;

  // Different grades, ascending, and the documents that have at most that grade.
  const std::vector<float>& grades() const { return grades_; }
  const std::vector<std::uint64_t>& cumulative() const { return cumulative_; }

 private:
  std::vector<float> grades_;
  std::vector<std::uint64_t> cumulative_;
};

}  // namespace glassrank
