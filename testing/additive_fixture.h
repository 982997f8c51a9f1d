#pragma once
// For the tests of glass boxes: data whose grade is a sum of three curves.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/data/dataset.h"

namespace glassrank::testing {

// grade = 2 * (step > 0) + 2 |valley| + line + 1, and nothing of noise; no pair. All features are
// uniform in -1 .. 1, grades lie in 0 .. 6, queries have 20 rows.
inline Dataset additive(std::size_t num_queries, std::uint64_t seed) {
  const CounterRandom random(seed, "additive");
  DatasetParts parts;
  const std::size_t n = num_queries * 20;
  parts.features = Buffer<float>(n * 4);
  for (std::size_t r = 0; r < n; ++r) {
    float* x = parts.features.data() + 4 * r;
    for (std::size_t f = 0; f < 4; ++f) {
      x[f] = static_cast<float>(2 * random.uniform(8 * r + f) - 1);
    }
    parts.grades.push_back(2.0F * static_cast<float>(x[0] > 0) + 2 * std::abs(x[1]) + x[2] + 1);
  }
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < num_queries; ++q) ids.push_back(std::to_string(q));
  parts.queries = QueryGroups(ids, std::vector<std::size_t>(num_queries, 20));
  parts.schema = Schema::of_features({"step", "valley", "line", "noise"});
  return Dataset(std::move(parts));
}

}  // namespace glassrank::testing
