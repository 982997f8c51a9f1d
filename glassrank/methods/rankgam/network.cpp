#include "glassrank/methods/rankgam/network.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/elementary.h"
#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 4096;

}  // namespace

float ValueTransform::operator()(float value) const {
  if (std::isnan(value)) return value;
  const float clipped = std::clamp(value, -clip, clip);
  return log1p ? std::copysign(static_cast<float>(portable_log1p(std::abs(clipped))), clipped)
               : clipped;
}

FeatureColumns::FeatureColumns(const Dataset& data, const ValueTransform& transform,
                               const Context& context)
    : num_rows_(data.num_rows()),
      num_features_(data.num_features()),
      values_(num_rows_ * num_features_) {
  parallel_for(context, num_rows_, kChunkRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      const std::span<const float> row = data.row(r);
      for (std::size_t f = 0; f < num_features_; ++f) {
        values_[f * num_rows_ + r] = transform(row[f]);
      }
    }
  });
}

RankgamNetwork::RankgamNetwork(std::size_t num_features, const TowerShape& shape,
                               std::uint64_t seed)
    : missing(num_features) {
  towers.reserve(num_features);
  for (std::size_t f = 0; f < num_features; ++f) {
    towers.emplace_back(shape, RandomSequence(CounterRandom(seed, "rankgam start", f)));
  }
}

void RankgamNetwork::score_feature(std::size_t feature, std::span<const float> values,
                                   std::span<float> out) const {
  towers[feature].score(values, out);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) out[i] = missing[feature];
  }
}

std::vector<double> RankgamNetwork::score(const FeatureColumns& columns,
                                          const Context& context) const {
  std::vector<double> scores(columns.num_rows());
  parallel_for(context, scores.size(), kChunkRows, [&](std::size_t begin, std::size_t end) {
    std::vector<float> added(end - begin);
    for (std::size_t f = 0; f < columns.num_features(); ++f) {
      score_feature(f, columns.column(f).subspan(begin, end - begin), added);
      for (std::size_t i = 0; i < added.size(); ++i) scores[begin + i] += double{added[i]};
    }
  });
  return scores;
}

}  // namespace glassrank
