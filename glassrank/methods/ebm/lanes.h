#pragma once
// Bags side by side: up to four bags share a row's place in memory and every look at its codes, one
// vector lane a bag.
//
// Bags differ only in what they hold out, so nearly every row belongs to all of them. Rows are put
// into an order in which those with the same role in every bag lie together, in segments; inside a
// segment no row has to be asked for its role, and rows of a query lie apart. Arrays "by lane" are
// [i][lane], kBagLanes wide, also where there are fewer bags; the lanes without a bag train on
// nothing. A group of bags is one thread's work. Groups do not depend on the number of threads.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "glassrank/methods/training/bags.h"

namespace glassrank {

inline constexpr std::size_t kBagLanes = 4;

// Rows [begin, end) of the order, and the lanes that train on them or are judged by them.
struct LaneSegment {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::array<bool, kBagLanes> trains{};
  std::array<bool, kBagLanes> judges{};

  friend bool operator==(const LaneSegment&, const LaneSegment&) = default;
};

struct LaneOrder {
  std::vector<std::uint32_t> rows;  // of the training data; after num_train of the validation data
  std::size_t num_train = 0;
  std::vector<LaneSegment> segments;
};

// Without validation data (no num_valid) a bag is judged by what it holds out; with it by that
// alone and what a bag holds out is nobody's. Rows that no bag needs are left out.
LaneOrder order_lanes(std::span<const BagSplitRows* const> bags, std::size_t num_rows,
                      std::optional<std::size_t> num_valid);

// The rows of the segments in parts of about as many each, for threads.
std::vector<std::vector<LaneSegment>> cut_segments(std::span<const LaneSegment> segments,
                                                   std::size_t num_parts);

}  // namespace glassrank
