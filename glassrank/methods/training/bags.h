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
#include "glassrank/data/shard.h"

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

// Parameters of methods that train several models on parts of the queries and average them; every
// such method has them under these names.
struct BagParams {
  int bags = 1;               // models that are averaged
  double valid_share = 0.15;  // of the queries, which a bag holds out; 0: none
  StopOn stop_on = StopOn::kValid;

  void visit(ParamVisitor& visitor);

  // Whether queries are held out of the training.
  bool is_bagged() const { return bags > 1 || stop_on == StopOn::kBag; }
};

// Throws Error{kUsage} where bags are to stop on queries and hold out none.
void check_bags(const BagParams& bagging);

struct BagSplitRows {
  std::vector<std::uint32_t> train;  // ascending
  std::vector<std::uint32_t> held_out;
};

struct BagRules {
  BagSplit split = BagSplit::kQuery;
  double share = 0.15;  // 0: nothing is held out
};

// Throws Error{kInput} when there are fewer than two queries (rows) to split.
// The rows of one machine, of bags that are drawn from the queries (rows) of all.
BagSplitRows split_bag(const QueryGroups& queries, const Shard& shard, const BagRules& rules,
                       std::uint64_t seed, std::size_t bag);
BagSplitRows split_bag(const QueryGroups& queries, const BagRules& rules, std::uint64_t seed,
                       std::size_t bag);

}  // namespace glassrank
