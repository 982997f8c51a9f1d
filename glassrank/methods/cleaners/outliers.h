#pragma once
// Outliers of one ranked list (Marcuzzi, Lucchese, Orlando, ICTIR 2022, definitions 3.1 and 3.2).
//
// With k the cutoff, "relevant" a grade above negative_grade, ranks from 0:
//   paper     positive: relevant, rank >= k, and a non-relevant document within the first k;
//             negative: non-relevant, rank < k, and a relevant document at rank k or below.
//   released  what the authors' program tests, a superset:
//             positive: relevant, rank >= k, and below the list's first document that is not
//             relevant or of its lowest grade, wherever that is;
//             negative: non-relevant, rank < k, and above the last relevant document, wherever.
// Documents of equal score rank in input order. A list of at most k documents has no outliers in
// the paper's sense. Cost: one sort; outlier_tracker.h does the same for many rounds without.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glassrank {

enum class OutlierDefinition { kPaper, kReleased };

struct OutlierRule {
  OutlierDefinition definition = OutlierDefinition::kPaper;
  std::size_t cutoff = 10;
  double negative_grade = 0;
};

// The slots of the outliers, ascending; their grade says which kind they are.
std::vector<std::uint32_t> find_outliers(std::span<const float> grades,
                                         std::span<const double> scores, const OutlierRule& rule);

}  // namespace glassrank
