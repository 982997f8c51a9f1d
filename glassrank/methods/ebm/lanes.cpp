#include "glassrank/methods/ebm/lanes.h"

#include <algorithm>
#include <numeric>

namespace glassrank {
namespace {

// Neighbours in a segment are rows / kApart from each other in the data, in other queries. Rows of
// a query have many values in common, and additions to one cell wait for each other.
constexpr std::size_t kApart = 16;

}  // namespace

LaneOrder order_lanes(std::span<const BagSplitRows* const> bags, std::size_t num_rows,
                      std::optional<std::size_t> num_valid) {
  constexpr std::size_t kPatterns = std::size_t{1}
                                    << kBagLanes;  // a bit a bag that holds a row out
  std::vector<std::uint8_t> patterns(num_rows);
  for (std::size_t bag = 0; bag < bags.size(); ++bag) {
    for (const std::uint32_t r : bags[bag]->held_out) {
      patterns[r] = static_cast<std::uint8_t>(patterns[r] | (1U << bag));
    }
  }
  std::array<std::vector<std::uint32_t>, kPatterns> found;
  for (std::size_t r = 0; r < num_rows; ++r) {
    found[patterns[r]].push_back(static_cast<std::uint32_t>(r));
  }
  LaneOrder order;
  const auto append = [&](std::span<const std::uint32_t> rows, LaneSegment segment) {
    const auto is_set = [](bool role) { return role; };
    if (rows.empty()) return;
    if (std::ranges::none_of(segment.trains, is_set) &&
        std::ranges::none_of(segment.judges, is_set)) {
      return;
    }
    segment.begin = order.rows.size();
    const std::size_t apart = (rows.size() + kApart - 1) / kApart;
    for (std::size_t first = 0; first < apart; ++first) {
      for (std::size_t i = first; i < rows.size(); i += apart) order.rows.push_back(rows[i]);
    }
    segment.end = order.rows.size();
    order.segments.push_back(segment);
  };
  for (std::size_t pattern = 0; pattern < kPatterns; ++pattern) {
    LaneSegment segment;
    for (std::size_t bag = 0; bag < bags.size(); ++bag) {
      const bool is_held_out = (pattern >> bag & 1) != 0;
      segment.trains[bag] = !is_held_out;
      segment.judges[bag] = is_held_out && !num_valid;
    }
    append(found[pattern], segment);
  }
  order.num_train = order.rows.size();
  std::vector<std::uint32_t> valid(num_valid.value_or(0));
  std::iota(valid.begin(), valid.end(), 0U);
  LaneSegment segment;
  std::fill_n(segment.judges.begin(), bags.size(), true);
  append(valid, segment);
  return order;
}

std::vector<std::vector<LaneSegment>> cut_segments(std::span<const LaneSegment> segments,
                                                   std::size_t num_parts) {
  const std::size_t num_rows = segments.empty() ? 0 : segments.back().end;
  std::vector<std::vector<LaneSegment>> parts(num_parts);
  for (std::size_t part = 0; part < num_parts; ++part) {
    const std::size_t begin = num_rows * part / num_parts;
    const std::size_t end = num_rows * (part + 1) / num_parts;
    for (LaneSegment segment : segments) {
      segment.begin = std::max(segment.begin, begin);
      segment.end = std::min(segment.end, end);
      if (segment.begin < segment.end) parts[part].push_back(segment);
    }
  }
  return parts;
}

}  // namespace glassrank
