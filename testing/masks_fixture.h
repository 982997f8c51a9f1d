#pragma once
// For tests of masked scoring: random masks and rows, and a subject over a model.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/random.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/models/model.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

struct Rows {
  std::vector<float> values;
  std::size_t width = 0;

  MatrixView<const float> view() const { return {values.data(), values.size() / width, width}; }
};

// As the model's thresholds or edges provoke them.
template <typename Maker, typename Body>
Rows random_rows(Maker& maker, const Body& body, std::size_t num_rows) {
  Rows rows{.values = {}, .width = body.num_features()};
  for (std::size_t r = 0; r < num_rows; ++r) {
    const std::vector<float> row = maker.row(body);
    rows.values.insert(rows.values.end(), row.begin(), row.end());
  }
  return rows;
}

struct Masks {
  std::vector<std::uint8_t> values;
  std::size_t width = 0;

  FeatureMasks view() const { return {values.data(), values.size() / width, width}; }
};

// Of any size, from nothing known to everything.
inline Masks random_masks(RandomSequence& random, std::size_t num_masks, std::size_t width) {
  Masks masks{.values = {}, .width = width};
  for (std::size_t m = 0; m < num_masks; ++m) {
    const double share = random.uniform() * 1.4 - 0.2;
    for (std::size_t f = 0; f < width; ++f) masks.values.push_back(random.uniform() < share);
  }
  return masks;
}

inline Context with_threads(int count) {
  Context context;
  context.threads = std::make_shared<Threads>(count);
  return context;
}

// A model with its scorer and nothing for background.
struct ModelSubject {
  explicit ModelSubject(Model of) : model(std::move(of)), scorer(make_scorer(model)) {}
  Subject subject() const { return {*scorer, &model, background}; }

  Model model;
  std::unique_ptr<const Scorer> scorer;
  Dataset background;
};

}  // namespace glassrank
