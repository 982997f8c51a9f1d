#pragma once
// For tests of explainers: rows with grades, one query or several, as data to explain.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/random.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

inline Dataset dataset_of_rows(const std::vector<std::vector<float>>& rows,
                               std::vector<float> grades, const std::vector<std::size_t>& sizes) {
  DatasetParts parts;
  const std::size_t width = rows.front().size();
  parts.features = Buffer<float>(rows.size() * width);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::ranges::copy(rows[r], parts.features.data() + r * width);
  }
  parts.grades = std::move(grades);
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < sizes.size(); ++q) ids.push_back(fmt::format("q{}", q));
  parts.queries = QueryGroups(ids, sizes);
  for (std::size_t f = 0; f < width; ++f) parts.schema.add_feature(fmt::format("f{}", f));
  return Dataset(std::move(parts));
}

// One query of these rows, all of grade 0.
inline Dataset one_query(const std::vector<std::vector<float>>& rows) {
  return dataset_of_rows(rows, std::vector<float>(rows.size()), {rows.size()});
}

// One query of normal values with grades 0, 1, 2, 0, 1, ...
inline Dataset normal_query(std::size_t num_rows, std::size_t num_features, std::uint64_t seed) {
  RandomSequence random(CounterRandom(seed, "normal rows"));
  std::vector<std::vector<float>> rows(num_rows, std::vector<float>(num_features));
  std::vector<float> grades;
  for (std::size_t r = 0; r < num_rows; ++r) {
    for (float& value : rows[r]) value = static_cast<float>(random.normal());
    grades.push_back(static_cast<float>(r % 3));
  }
  return dataset_of_rows(rows, std::move(grades), {num_rows});
}

}  // namespace glassrank
