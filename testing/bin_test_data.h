#pragma once
// Data sets for the tests of binning and caching: columns of the kinds that ranking data has.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/random.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

struct TestDataOptions {
  std::size_t num_rows = 1000;
  std::size_t num_features = 12;
  bool with_missing = true;
  bool with_ids_and_weights = true;
};

// Column f is of kind f % 6: many zeros and counts, heavy tail, uniform, few distinct values,
// constant, missing in a third of the rows.
inline float test_value(std::size_t row, std::size_t feature, bool with_missing) {
  const CounterRandom random(7, "test value", feature);
  const double u = random.uniform(2 * row);
  const double v = random.uniform(2 * row + 1);
  switch (feature % 6) {
    case 0:
      return u < 0.6 ? 0.0F : static_cast<float>(std::floor(-30 * std::log(1 - v)));
    case 1:
      return static_cast<float>(std::exp(8 * v) - 1000 * u * u * u);
    case 2:
      return static_cast<float>(2 * v - 1);
    case 3:
      return static_cast<float>(std::floor(5 * v)) / 4;
    case 4:
      return 3.5F;
    default:
      if (with_missing && u < 0.33) return std::numeric_limits<float>::quiet_NaN();
      return static_cast<float>(v);
  }
}

inline Dataset test_data(const TestDataOptions& options = {}) {
  DatasetParts parts;
  parts.features = Buffer<float>(options.num_rows * options.num_features);
  StringColumnBuilder document_ids;
  for (std::size_t r = 0; r < options.num_rows; ++r) {
    for (std::size_t f = 0; f < options.num_features; ++f) {
      parts.features[r * options.num_features + f] = test_value(r, f, options.with_missing);
    }
    parts.grades.push_back(static_cast<float>(r % 5));
    if (!options.with_ids_and_weights) continue;
    parts.weights.push_back(static_cast<float>(r % 3) + 0.5F);
    document_ids.add(fmt::format("doc{}", r));
  }
  if (options.with_ids_and_weights) parts.document_ids = document_ids.finish();
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  for (std::size_t r = 0; r < options.num_rows; r += sizes.back()) {
    ids.push_back(fmt::format("q{}", ids.size()));
    sizes.push_back(std::min<std::size_t>(1 + ids.size() % 17, options.num_rows - r));
  }
  parts.queries = QueryGroups(std::move(ids), sizes);
  for (std::size_t f = 0; f < options.num_features; ++f) {
    parts.schema.add_feature(fmt::format("feature {}", f + 1));
  }
  return Dataset(std::move(parts));
}

}  // namespace glassrank
