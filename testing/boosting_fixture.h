#pragma once
// Data for the tests of boosting: random features, some coarse, some with missing values, one
// constant, and grades that depend on a few of them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/context.h"
#include "glassrank/base/random.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/metrics/gain.h"

namespace glassrank::testing {

struct Shape {
  std::size_t num_queries = 40;
  std::size_t query_size = 25;
  std::size_t num_features = 8;
  std::uint64_t seed = 1;
  bool with_missing = true;
  int max_bins = 255;
};

inline Context with_threads(int count, std::uint64_t seed = 0) {
  Context context;
  context.threads = std::make_shared<const Threads>(count);
  context.seed = seed;
  return context;
}

// Feature 3 is coarse (4 values), 5 has missing values, 6 is constant, the others are normal.
inline float feature_value(const CounterRandom& random, const Shape& shape, std::size_t row,
                           std::size_t f) {
  const double x = random.normal(row * 64 + f);
  if (f == 3)
    return static_cast<float>(std::floor(2 * std::abs(x)) > 3 ? 3 : std::floor(2 * std::abs(x)));
  if (f == 6) return 1;
  if (f == 5 && shape.with_missing && random.uniform(row * 64 + 40) < 0.3) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  return static_cast<float>(x);
}

inline Dataset make_data(const Shape& shape) {
  const CounterRandom random(shape.seed, "boosting_fixture");
  const std::size_t n = shape.num_queries * shape.query_size;
  DatasetParts parts;
  parts.features = Buffer<float>(n * shape.num_features);
  for (std::size_t r = 0; r < n; ++r) {
    float* row = parts.features.data() + r * shape.num_features;
    for (std::size_t f = 0; f < shape.num_features; ++f) {
      row[f] = feature_value(random, shape, r, f);
    }
    const double missing_bonus = shape.num_features > 5 && std::isnan(row[5]) ? 1.0 : 0.0;
    const double truth = row[0] + (shape.num_features > 1 ? row[0] * row[1] : 0) + missing_bonus +
                         0.3 * random.normal(r * 64 + 41);
    parts.grades.push_back(static_cast<float>(std::clamp(std::floor(truth + 1), 0.0, 4.0)));
  }
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < shape.num_queries; ++q) ids.push_back(std::to_string(q));
  parts.queries = QueryGroups(ids, std::vector<std::size_t>(shape.num_queries, shape.query_size));
  for (std::size_t f = 0; f < shape.num_features; ++f) {
    parts.schema.add_feature(fmt::format("f{}", f));
  }
  return Dataset(std::move(parts));
}

// One query of rows made of value(row, feature).
template <typename Value>
Dataset data_of_values(std::size_t num_rows, std::size_t num_features, Value&& value) {
  DatasetParts parts;
  parts.features = Buffer<float>(num_rows * num_features);
  for (std::size_t i = 0; i < parts.features.size(); ++i) {
    parts.features[i] = static_cast<float>(value(i / num_features, i % num_features));
  }
  parts.grades.resize(num_rows);
  for (std::size_t f = 0; f < num_features; ++f) {
    parts.schema.add_feature(fmt::format("f{}", f));
  }
  parts.queries = QueryGroups(std::vector<std::string>{"q"}, std::vector<std::size_t>{num_rows});
  return Dataset(std::move(parts));
}

template <typename Value>
BinnedDataset binned_values(std::size_t num_rows, std::size_t num_features, Value&& value) {
  return bin_dataset(data_of_values(num_rows, num_features, value), {}, with_threads(1));
}

inline BinnedDataset make_binned(const Shape& shape) {
  return bin_dataset(make_data(shape), {.max_bins = shape.max_bins}, with_threads(1));
}

struct Gradients {
  std::vector<float> gradient;
  std::vector<float> hessian;
};

// Small whole numbers, so that sums are exact in any order.
inline Gradients whole_gradients(std::size_t n, std::uint64_t seed) {
  const CounterRandom random(seed, "whole_gradients");
  Gradients g;
  for (std::size_t i = 0; i < n; ++i) {
    g.gradient.push_back(static_cast<float>(random.below(2 * i, 41)) - 20);
    g.hessian.push_back(static_cast<float>(random.below(2 * i + 1, 30)));
  }
  return g;
}

// Mean NDCG@10; queries without gain count 1.
inline double mean_ndcg(const BinnedDataset& data, std::span<const double> scores,
                        const Context& /*context*/) {
  double sum = 0;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), rows.begin);
    const auto dcg = [&] {
      double total = 0;
      for (std::size_t r = 0; r < std::min<std::size_t>(10, order.size()); ++r) {
        total += exponential_gain(data.grades()[order[r]]) * discount(r);
      }
      return total;
    };
    std::ranges::sort(order, {}, [&](std::size_t r) { return std::pair(-scores[r], r); });
    const double found = dcg();
    std::ranges::sort(order, std::greater<>(), [&](std::size_t r) { return data.grades()[r]; });
    const double ideal = dcg();
    sum += ideal > 0 ? found / ideal : 1.0;
  }
  return sum / static_cast<double>(data.num_queries());
}

}  // namespace glassrank::testing
