#include "glassrank/objectives/grade_distribution.h"

#include <algorithm>
#include <map>

namespace glassrank {
namespace {

using Counts = std::map<float, std::uint64_t>;

// The counts of all machines. A communicator only adds: each machine fills places that are zero on
// the others.
Counts all_counts(const Counts& own, const Communicator& communicator) {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(communicator.size()));
  const auto rank = static_cast<std::size_t>(communicator.rank());
  sizes[rank] = own.size();
  communicator.sum(sizes);
  std::size_t begin = 0;
  std::size_t total = 0;
  for (std::size_t machine = 0; machine < sizes.size(); ++machine) {
    if (machine < rank) begin += sizes[machine];
    total += sizes[machine];
  }
  std::vector<double> grades(total);
  std::vector<std::uint64_t> counts(total);
  for (const auto& [grade, count] : own) {
    grades[begin] = grade;
    counts[begin++] = count;
  }
  communicator.sum(grades);
  communicator.sum(counts);
  Counts all;
  for (std::size_t i = 0; i < total; ++i) all[static_cast<float>(grades[i])] += counts[i];
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
