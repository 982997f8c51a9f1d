#include "glassrank/explain/importance.h"

#include "glassrank/models/forest/forest_summary.h"

namespace glassrank {

std::vector<std::uint64_t> split_importance(const Forest& forest) {
  std::vector<std::uint64_t> splits(forest.num_features());
  for (const Tree& tree : forest.trees()) {
    const std::vector<double>& gains = tree.statistics.node_gain;
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      if (gains.empty() || gains[n] > 0) ++splits[tree.nodes[n].feature];
    }
  }
  return splits;
}

std::optional<std::vector<double>> gain_importance(const Forest& forest) {
  if (!summarise(forest).has_gains) return std::nullopt;
  std::vector<double> sums(forest.num_features());
  for (const Tree& tree : forest.trees()) {
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const double gain = tree.statistics.node_gain[n];
      if (gain > 0) sums[tree.nodes[n].feature] += gain;
    }
  }
  return sums;
}

}  // namespace glassrank
