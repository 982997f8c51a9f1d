#pragma once
// Are documents that take a long way through the trees explained better? Figures 5 to 8 of the
// decision-path paper: agreement of explanation and truth by the depth of a document's path.
//
//   depth of a document = mean over the trees of the splits it passes on the way to its leaf
//
// Of one tree depths are whole numbers, a box each. Of a forest they are rounded to the nearest
// whole number, which the paper does not say; the correlation uses them as they are.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/explain/audit/box_summary.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

// 0 for a forest without trees.
double path_depth(const Forest& forest, std::span<const float> row);

struct DepthGroup {
  std::size_t depth = 0;
  BoxSummary values;

  void visit(ResultVisitor& visitor) const;
};

struct DepthAnalysis {
  // Spearman's, of depth and value; absent where one of them is constant.
  std::optional<double> correlation;
  std::vector<DepthGroup> groups;  // by ascending depth, those that have documents

  void visit(ResultVisitor& visitor) const;
};

// A depth and a value per document; documents whose value or depth is NaN are left out.
DepthAnalysis by_path_depth(std::span<const double> depths, std::span<const double> values);

}  // namespace glassrank
