#pragma once
// What the leaves of a forest ask of a document's features, in places (places.h).
//
// A leaf is reached from a box: for every feature asked on the way, a range of places. The features
// whose present place is outside of the box must move to reach the leaf. What a leaf adds is
// counted against the leaf the document is in: its gain.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "glassrank/explain/counterfactual/places.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

struct PlaceRange {
  std::uint32_t feature = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

struct LeafBox {
  std::uint32_t tree = 0;
  double gain = 0;
  double cost = 0;                 // of moving to it, at least
  std::vector<PlaceRange> ranges;  // of the features asked on the way; others may be anywhere

  // All places when the feature is not asked.
  PlaceRange range_of(std::uint32_t feature, std::span<const FeaturePlaces> places) const;
};

using MovedFeatures = std::vector<std::uint32_t>;  // ascending

struct LeafBoxes {
  std::vector<LeafBox> own;                             // of each tree, of the leaf it is in
  std::map<MovedFeatures, std::vector<LeafBox>> moved;  // by tree within one key
  double most_gain = 0;  // no moves of any number of features add more to the score
};

// Boxes that ask for more than `max_moved` moves count for most_gain only.
LeafBoxes leaf_boxes(const Forest& forest, std::span<const FeaturePlaces> places,
                     std::size_t max_moved);

}  // namespace glassrank
