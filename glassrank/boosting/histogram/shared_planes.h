#pragma once
// Histograms of several machines: each adds up and keeps the features of some groups.
//
// Every machine builds the histogram of its own rows. Groups of features (row_blocks.h) are shared
// out in order, by their size; a machine gets the sums over all machines of its groups only, for
// half the traffic of sums for everybody, and searches for splits only there. Where 16 bits hold
// every sum of the leaf on all machines together, packed words go over the wire: half of it again.
// Integers: sums are exact. A program alone owns every group.

#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/histogram/packed_histogram.h"
#include "glassrank/boosting/histogram/row_blocks.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

class SharedPlanes {
 public:
  SharedPlanes(std::span<const FeatureGroup> groups, std::size_t plane_size,
               const Context& context);

  RowRange own_groups() const { return own_groups_; }
  PlaneRange own_range() const { return own_range_; }

  // From sums of this machine's rows to those of all machines, in own_range(); the rest is then of
  // no use. planes.rows become those of all. Collective.
  void add_up(PackedHistogram& planes) const;

 private:
  void scatter(Buffer<std::int32_t>& plane) const;

  Context context_;
  RowRange own_groups_;
  PlaneRange own_range_;
  std::vector<std::size_t> block_sizes_;  // per machine, in values
  mutable std::vector<std::int32_t> sums_;
};

}  // namespace glassrank
