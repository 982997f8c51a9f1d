#pragma once
// For tests: weighted rows with targets that nearly lie on a line.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/math/linear_sample.h"

namespace glassrank {

struct RandomSample {
  RandomSample(std::size_t num_rows, std::size_t num_columns, std::uint64_t seed,
               double noise = 0.1)
      : truth(num_columns) {
    RandomSequence random(CounterRandom(seed, "linear sample"));
    // Every third column counts for nothing.
    for (std::size_t j = 0; j < num_columns; ++j) truth[j] = j % 3 == 2 ? 0 : random.normal();
    for (std::size_t r = 0; r < num_rows; ++r) {
      const double shared = random.normal();  // columns are correlated
      double target = 0.5 + noise * random.normal();
      for (std::size_t j = 0; j < num_columns; ++j) {
        inputs.push_back(random.normal() + 0.7 * shared + static_cast<double>(j));
        target += truth[j] * inputs.back();
      }
      targets.push_back(target);
      weights.push_back(0.05 + random.uniform());
    }
  }

  LinearSample view() const {
    return {{inputs.data(), targets.size(), truth.size()}, targets, weights};
  }

  std::vector<double> truth;
  std::vector<double> inputs;
  std::vector<double> targets;
  std::vector<double> weights;
};

}  // namespace glassrank
