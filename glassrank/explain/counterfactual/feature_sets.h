#pragma once
// Which sets of features could reach a goal: a bound from the leaves that each of them opens.
//
//   most(S) = sum over non-empty D within S, over trees, of the best gain among the leaves that ask
//             for moves of exactly D and cost less than the limit
// No moves of S below that cost add more to the score. A feature of S that no such leaf asks to
// move changes nothing by moving, whatever the signs of the gains: then a smaller set does as well.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "glassrank/explain/counterfactual/leaf_boxes.h"

namespace glassrank {

class FeatureSets {
 public:
  FeatureSets(const LeafBoxes& boxes, std::size_t num_features, double cost_limit);

  // Sets of `size` features, in order, that may add `gain` or more, and in which each feature has a
  // leaf to open.
  std::vector<MovedFeatures> reaching(std::size_t size, double gain) const;

 private:
  // What the leaves that ask for moves of some features give at most.
  struct Gain {
    double most = 0;
    bool is_there = false;  // such leaves

    Gain operator+(const Gain& other) const {
      return {most + other.most, is_there || other.is_there};
    }
  };
  const Gain& of_pair(std::uint32_t a, std::uint32_t b) const {
    return pairs_[a * num_features_ + b];
  }
  void add_triples(double gain, std::vector<MovedFeatures>& sets) const;

  std::size_t num_features_;
  std::vector<Gain> singles_;  // by feature
  std::vector<Gain> pairs_;    // by both, the lower one first
  std::map<std::array<std::uint32_t, 3>, Gain> triples_;
  std::vector<std::uint32_t> features_;  // that any leaf asks to move
};

}  // namespace glassrank
