#pragma once
// A tower's forward pass as tower.h defines it, step by step in double precision: what the tests
// hold the fast one against.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/methods/rankgam/tower.h"

namespace glassrank::testing {

class TowerOracle {
 public:
  TowerOracle(const TowerShape& shape, std::span<const double> parameters)
      : shape_(shape), parameters_(parameters) {}

  std::vector<double> forward(std::span<const float> x, const CounterRandom& dropout) {
    next_ = 0;
    std::vector<std::vector<double>> rows = {{x.begin(), x.end()}};
    // Parameters lie in the order of use.
    normalise(rows);
    dense(rows, shape_.first);
    normalise(rows);
    activate(rows, dropout, 0);
    dense(rows, shape_.second);
    normalise(rows);
    activate(rows, dropout, 1);
    dense(rows, 1);
    return rows.front();
  }

 private:
  using Rows = std::vector<std::vector<double>>;  // a unit's values in every row

  std::span<const double> take(std::size_t count) {
    next_ += count;
    return parameters_.subspan(next_ - count, count);
  }

  void normalise(Rows& rows) {
    const std::span<const double> gammas = take(rows.size());
    const std::span<const double> betas = take(rows.size());
    for (std::size_t u = 0; u < rows.size(); ++u) {
      const auto n = static_cast<double>(rows[u].size());
      double mean = 0;
      double variance = 0;
      for (const double value : rows[u]) mean += value / n;
      for (const double value : rows[u]) variance += (value - mean) * (value - mean) / n;
      for (double& value : rows[u]) {
        value = gammas[u] * (value - mean) / std::sqrt(variance + 1e-3) + betas[u];
      }
    }
  }

  void dense(Rows& rows, std::size_t num_outputs) {
    const std::span<const double> weights = take(rows.size() * num_outputs);
    Rows outputs(num_outputs, std::vector<double>(rows.front().size()));
    for (std::size_t o = 0; o < num_outputs; ++o) {
      for (std::size_t u = 0; u < rows.size(); ++u) {
        for (std::size_t i = 0; i < rows[u].size(); ++i) {
          outputs[o][i] += weights[o * rows.size() + u] * rows[u][i];
        }
      }
    }
    rows = std::move(outputs);
  }

  // Value e of a layer, unit after unit, has byte e mod 16 of block e / 16.
  void activate(Rows& rows, const CounterRandom& dropout, std::uint64_t layer) const {
    const auto threshold = static_cast<int>(std::lround(shape_.dropout * 256));
    std::array<std::uint8_t, 16> bytes{};
    std::size_t e = 0;
    for (std::vector<double>& unit : rows) {
      for (double& value : unit) {
        if (e % 16 == 0)
          bytes = std::bit_cast<decltype(bytes)>(dropout.block((layer << 40U) + e / 16));
        const bool is_kept = int{bytes[e % 16]} >= threshold;
        value = is_kept ? std::max(value, 0.0) * 256 / (256 - threshold) : 0;
        ++e;
      }
    }
  }

  TowerShape shape_;
  std::span<const double> parameters_;
  std::size_t next_ = 0;
};

}  // namespace glassrank::testing
