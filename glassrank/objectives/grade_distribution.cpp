#include "glassrank/objectives/grade_distribution.h"

#include <algorithm>
#include <map>
#include <vector>

#include "glassrank/base/agree.h"

namespace glassrank {
namespace {

using Counts = std::map<float, std::uint64_t>;

struct GradeCount {
  double grade;
  std::uint64_t count;
};

Counts all_counts(const Counts& own, const Communicator& communicator) {
  std::vector<GradeCount> counts;
  for (const auto& [grade, count] : own) counts.push_back({grade, count});
  Counts all;
  for (const GradeCount& each : gather_values<GradeCount>(communicator, counts)) {
    all[static_cast<float>(each.grade)] += each.count;
  }
  return all;
}

}  // namespace

GradeDistribution::GradeDistribution(const ObjectiveData& data) {
  Counts own;
  for (const float grade : data.grades) ++own[grade];
  std::uint64_t total = 0;
  for (const auto& [grade, count] : all_counts(own, data.communicator)) {
    grades_.push_back(grade);
    cumulative_.push_back(total += count);
  }
}

float GradeDistribution::draw(const CounterRandom& random, std::uint64_t counter) const {
  const std::uint64_t document = random.below(counter, cumulative_.back());
  const auto at = std::ranges::upper_bound(cumulative_, document);
  return grades_[static_cast<std::size_t>(at - cumulative_.begin())];
}

}  // namespace glassrank
