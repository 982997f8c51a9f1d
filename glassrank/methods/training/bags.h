#pragma once
// Which rows each bag trains on and which it holds out.
//
// A bag holds out round(share * n) of the n queries (or rows), at least one and never all, drawn
// without replacement; the others train. As interpret's outer bags: they differ in what they hold
// out, no row is drawn twice. Drawn by (seed, bag) alone.
// By query no query is torn. By row, as interpret does, documents of a query lie on both sides: the
// held-out loss then looks better than it is, and training stops later.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

enum class BagSplit { kQuery, kRow };
template <>
struct EnumNames<BagSplit> {
  static std::span<const std::pair<std::string_view, BagSplit>> table();
};

// What stops the training of a bag: the rows it holds out, or validation data.
enum class StopOn { kBag, kValid };
template <>
struct EnumNames<StopOn> {
  static std::span<const std::pair<std::string_view, StopOn>> table();
};

struct BagSplitRows {
  std::vector<std::uint32_t> train;  // ascending
  std::vector<std::uint32_t> held_out;
};

struct BagRules {
  BagSplit split = BagSplit::kQuery;
  double share = 0.15;  // 0: nothing is held out
};

// Throws Error{kInput} when there are fewer than two queries (rows) to split.
BagSplitRows split_bag(const QueryGroups& queries, const BagRules& rules, std::uint64_t seed,
                       std::size_t bag);

}  // namespace glassrank
