#include "glassrank/models/gam/bag_tables.h"

#include <cmath>
#include <numeric>

namespace glassrank {

double centre_table(std::span<double> table, std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(total > 0)) return 0;
  const double mean =
      std::inner_product(weights.begin(), weights.end(), table.begin(), 0.0) / total;
  for (double& value : table) value -= mean;
  return mean;
}

std::vector<double> table_deviations(std::span<const std::vector<double>> tables) {
  const auto n = static_cast<double>(tables.size());
  std::vector<double> found(tables.front().size());
  for (std::size_t c = 0; c < found.size(); ++c) {
    double mean = 0;
    for (const std::vector<double>& table : tables) mean += table[c] / n;
    double variance = 0;
    for (const std::vector<double>& table : tables) {
      variance += (table[c] - mean) * (table[c] - mean) / n;
    }
    found[c] = std::sqrt(variance);
  }
  return found;
}

}  // namespace glassrank
