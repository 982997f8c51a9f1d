#pragma once
// The towers of every feature as one ranker, before they become tables.
//
// RankGAM trains a small network, a tower, for each feature; the score is the sum of what they
// give. A tower is asked for nothing but the values that occur, so that after training each becomes
// a curve over the bins of its feature, and the model is additive like any other: nobody else knows
// towers.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/rankgam/tower.h"
#include "glassrank/methods/training/state_archive.h"

namespace glassrank {

// What happens to a value before its tower; NaN stays.
struct ValueTransform {
  float clip = 1e6F;
  bool log1p = false;

  float operator()(float value) const;
};

// Transformed values of one feature after the other.
class FeatureColumns {
 public:
  FeatureColumns(const Dataset& data, const ValueTransform& transform, const Context& context);
  std::span<const float> column(std::size_t feature) const {
    return values_.span().subspan(feature * num_rows_, num_rows_);
  }
  std::size_t num_rows() const { return num_rows_; }
  std::size_t num_features() const { return num_features_; }

 private:
  std::size_t num_rows_;
  std::size_t num_features_;
  Buffer<float> values_;
};

struct RankgamNetwork {
  std::vector<Tower> towers;   // one per feature
  std::vector<float> missing;  // score of a missing value, per feature

  RankgamNetwork(std::size_t num_features, const TowerShape& shape, std::uint64_t seed);
  // What the feature adds to each row.
  void score_feature(std::size_t feature, std::span<const float> values,
                     std::span<float> out) const;
  void archive(StateArchive& state) {
    for (Tower& tower : towers) tower.archive(state);
    state(missing);
  }
  // Summed in order of features.
  std::vector<double> score(const FeatureColumns& columns, const Context& context) const;
};

}  // namespace glassrank
