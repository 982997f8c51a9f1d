#pragma once
// Histograms of several machines: each adds up and keeps the features of some groups.
//
// Every machine builds the histogram of its own rows. Groups of features (row_blocks.h) are shared
// out (shared_blocks.h); a machine gets the sums over all machines of its groups only, and searches
// for splits only there. Where 16 bits hold every sum of the leaf on all machines together, packed
// words go over the wire: half of it again. Integers: sums are exact.

#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/histogram/packed_histogram.h"
#include "glassrank/boosting/histogram/row_blocks.h"
#include "glassrank/boosting/histogram/shared_blocks.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

class SharedPlanes {
 public:
  SharedPlanes(std::span<const FeatureGroup> groups, std::size_t plane_size,
               const Context& context);

  RowRange own_groups() const { return blocks_.own_items(); }
  PlaneRange own_range() const {
    const RowRange values = blocks_.own_values();
    return {.begin = values.begin, .size = values.size()};
  }

  // From sums of this machine's rows to those of all machines, in own_range(); the rest is then of
  // no use. planes.rows become those of all. Collective.
  void add_up(PackedHistogram& planes) const;

 private:
  void scatter(Buffer<std::int32_t>& plane) const;

  Context context_;
  SharedBlocks blocks_;
  mutable std::vector<std::int32_t> sums_;
};

}  // namespace glassrank
