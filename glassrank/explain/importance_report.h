#pragma once
// Importances as a result: the measures that are there, the most important feature first.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/explain/importance_table.h"

namespace glassrank {

// How permutation importance was measured.
struct PermutationReport {
  PermutationParams params;
  double value = 0;  // of the metric with nothing permuted
  std::size_t num_queries = 0;
  std::size_t num_skipped = 0;

  void visit(ResultVisitor& visitor) const;
};

struct FeatureImportance {
  std::size_t index = 0;
  std::string feature;
  std::optional<std::uint64_t> splits;
  std::optional<double> gain;
  std::optional<FeatureDrop> drop;

  void visit(ResultVisitor& visitor) const;
};

struct ImportanceReport {
  std::optional<PermutationReport> permutation;
  std::vector<FeatureImportance> importance;

  void visit(ResultVisitor& visitor) const;
};

// The `top` first features (0: all).
ImportanceReport importance_report(const Importance& importance, std::size_t top);

}  // namespace glassrank
