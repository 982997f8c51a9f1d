#include "glassrank/methods/cleaners/outliers.h"

#include <algorithm>
#include <numeric>

#include "glassrank/data/relevance.h"

namespace glassrank {
namespace {

// What the definitions ask of one list, ranks from 0; the size where there is no such document.
struct ListFacts {
  std::size_t first_low = 0;  // not relevant or of the lowest grade
  std::size_t first_negative = 0;
  std::size_t past_last_relevant = 0;  // rank after the last relevant document; 0: none
};

ListFacts facts_of(std::span<const float> ranked, double negative_grade) {
  ListFacts facts{.first_low = ranked.size(), .first_negative = ranked.size()};
  if (ranked.empty()) return facts;
  const float lowest = *std::ranges::min_element(ranked);
  for (std::size_t rank = ranked.size(); rank-- > 0;) {
    const bool relevant = is_relevant(ranked[rank], negative_grade);
    if (!relevant) facts.first_negative = rank;
    if (!relevant || ranked[rank] == lowest) facts.first_low = rank;
    if (relevant && facts.past_last_relevant == 0) facts.past_last_relevant = rank + 1;
  }
  return facts;
}

}  // namespace

std::vector<std::uint32_t> find_outliers(std::span<const float> grades,
                                         std::span<const double> scores, const OutlierRule& rule) {
  std::vector<std::uint32_t> order(grades.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order,
                           [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  std::vector<float> ranked;
  for (const std::uint32_t slot : order) ranked.push_back(grades[slot]);
  const ListFacts facts = facts_of(ranked, rule.negative_grade);
  const bool is_paper = rule.definition == OutlierDefinition::kPaper;
  std::vector<std::uint32_t> found;
  for (std::size_t rank = 0; rank < ranked.size(); ++rank) {
    const bool relevant = is_relevant(ranked[rank], rule.negative_grade);
    const bool is_top = rank < rule.cutoff;
    if (relevant == is_top) continue;
    const bool is_outlier =
        relevant ? (is_paper ? facts.first_negative < rule.cutoff : facts.first_low <= rank)
                 : facts.past_last_relevant > (is_paper ? rule.cutoff : rank + 1);
    if (is_outlier) found.push_back(order[rank]);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace glassrank
