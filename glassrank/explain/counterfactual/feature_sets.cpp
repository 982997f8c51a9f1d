#include "glassrank/explain/counterfactual/feature_sets.h"

#include <algorithm>

namespace glassrank {
namespace {

// The best gain of every tree, summed. Boxes come tree by tree.
double best_gains(const std::vector<LeafBox>& boxes, double cost_limit) {
  double sum = 0;
  for (std::size_t b = 0; b < boxes.size();) {
    double best = 0;
    const std::uint32_t tree = boxes[b].tree;
    for (; b < boxes.size() && boxes[b].tree == tree; ++b) {
      if (boxes[b].cost < cost_limit) best = std::max(best, boxes[b].gain);
    }
    sum += best;
  }
  return sum;
}

}  // namespace

FeatureSets::FeatureSets(const LeafBoxes& boxes, std::size_t num_features, double cost_limit)
    : num_features_(num_features), singles_(num_features), pairs_(num_features * num_features) {
  std::vector<bool> is_used(num_features);
  for (const auto& [features, of_features] : boxes.moved) {
    const Gain gain{best_gains(of_features, cost_limit),
                    std::ranges::any_of(of_features,
                                        [&](const LeafBox& box) { return box.cost < cost_limit; })};
    if (!gain.is_there) continue;
    for (const std::uint32_t feature : features) is_used[feature] = true;
    if (features.size() == 1) singles_[features[0]] = gain;
    if (features.size() == 2) pairs_[features[0] * num_features + features[1]] = gain;
    if (features.size() == 3) triples_[{features[0], features[1], features[2]}] = gain;
  }
  for (std::uint32_t f = 0; f < num_features; ++f) {
    if (is_used[f]) features_.push_back(f);
  }
}

std::vector<MovedFeatures> FeatureSets::reaching(std::size_t size, double gain) const {
  std::vector<MovedFeatures> sets;
  for (const std::uint32_t a : features_) {
    if (size == 1 && singles_[a].is_there && singles_[a].most >= gain) sets.push_back({a});
    for (const std::uint32_t b : features_) {
      if (size != 2 || b <= a) continue;
      const Gain of_a = singles_[a] + of_pair(a, b);
      const Gain of_b = singles_[b] + of_pair(a, b);
      if (!of_a.is_there || !of_b.is_there) continue;
      if (of_a.most + singles_[b].most >= gain) sets.push_back({a, b});
    }
  }
  if (size == 3) add_triples(gain, sets);
  return sets;
}

void FeatureSets::add_triples(double gain, std::vector<MovedFeatures>& sets) const {
  for (std::size_t i = 0; i < features_.size(); ++i) {
    for (std::size_t j = i + 1; j < features_.size(); ++j) {
      const std::uint32_t a = features_[i];
      const std::uint32_t b = features_[j];
      const Gain first_two = singles_[a] + singles_[b] + of_pair(a, b);
      for (std::size_t k = j + 1; k < features_.size(); ++k) {
        const std::uint32_t c = features_[k];
        const auto found = triples_.empty() ? triples_.end() : triples_.find({a, b, c});
        const Gain all = found == triples_.end() ? Gain{} : found->second;
        const Gain of_c = singles_[c] + of_pair(a, c) + of_pair(b, c) + all;
        if (first_two.most + of_c.most < gain || !of_c.is_there) continue;
        const Gain of_a = singles_[a] + of_pair(a, b) + of_pair(a, c) + all;
        const Gain of_b = singles_[b] + of_pair(a, b) + of_pair(b, c) + all;
        if (of_a.is_there && of_b.is_there) sets.push_back({a, b, c});
      }
    }
  }
}

}  // namespace glassrank
