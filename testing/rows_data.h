#pragma once
// For tests: data from rows written down, and rows that tell the cells of a model apart.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "glassrank/data/dataset.h"

namespace glassrank {

struct RowsOptions {
  std::vector<std::size_t> sizes = {};  // of the queries; empty: one query
  std::vector<float> weights = {};      // empty: all 1
  std::vector<std::string> names = {};  // of the features; empty: f0, f1, ...
};

inline Dataset data_of_rows(const std::vector<std::vector<float>>& rows, RowsOptions options = {}) {
  DatasetParts parts;
  const std::size_t width = rows.empty() ? 0 : rows.front().size();
  parts.features = Buffer<float>(rows.size() * width);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::ranges::copy(rows[r], parts.features.data() + r * width);
  }
  parts.grades.assign(rows.size(), 0);
  parts.weights = std::move(options.weights);
  if (options.sizes.empty() && !rows.empty()) options.sizes = {rows.size()};
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < options.sizes.size(); ++q) ids.push_back(fmt::format("q{}", q + 1));
  parts.queries = QueryGroups(ids, options.sizes);
  for (std::size_t f = 0; f < width; ++f) {
    parts.schema.add_feature(options.names.empty() ? fmt::format("f{}", f) : options.names[f]);
  }
  return Dataset(std::move(parts));
}

// Rows made by a ForestMaker or a GamMaker.
template <typename Maker, typename Body>
std::vector<std::vector<float>> rows_for(Maker& maker, const Body& body, std::size_t num_rows) {
  std::vector<std::vector<float>> rows;
  for (std::size_t r = 0; r < num_rows; ++r) rows.push_back(maker.row(body));
  return rows;
}

}  // namespace glassrank
