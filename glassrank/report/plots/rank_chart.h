#pragma once
// Ranks of the documents of one query over rounds: a ribbon for each document (a bump chart).
//
// The ribbon of a document runs through the band of its rank after every round shown; rank 1 is at
// the top and the height of a band is proportional to the rank's discount 1 / log2(rank + 1), so
// that what counts most for NDCG takes most room (after Lucchese et al. 2023, Fig. 4, with the axes
// exchanged). Colours say the grade; highlighted documents are orange. Higher grades are drawn over
// lower ones. Names stand to the right where a band is high enough.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct RankChart {
  std::string title;
  std::string x_label = "trees";
  std::vector<double> rounds;                     // x of every column, ascending
  std::vector<std::vector<std::uint32_t>> ranks;  // [document][round], 0-based
  std::vector<float> grades;                      // per document
  std::vector<std::string> names = {};            // per document, or empty
  std::vector<bool> highlighted = {};             // per document, or empty
  std::string highlight_label = {};               // in the legend
  double width = 860;
  double height = 560;
};

Picture draw(const RankChart& chart);

}  // namespace glassrank
