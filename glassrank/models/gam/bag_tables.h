#pragma once
// Tables of one effect in several bags: each shifted to mean 0 over the training rows, and how much
// they differ. Shifting keeps what bags merely distributed differently between intercept and
// effects out of the differences.

#include <span>
#include <vector>

namespace glassrank {

// Shifts a table to mean 0 by the weights of its cells and returns the mean it had; without
// weights, or where they are all 0, nothing changes.
double centre_table(std::span<double> table, std::span<const double> weights);

// Per cell the standard deviation over tables (divided by their number). There is at least one.
std::vector<double> table_deviations(std::span<const std::vector<double>> tables);

}  // namespace glassrank
