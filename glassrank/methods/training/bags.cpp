#include "glassrank/methods/training/bags.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"

namespace glassrank {
namespace {

// Which of n things a bag holds out.
std::vector<bool> draw_held_out(std::size_t n, double share, std::uint64_t seed, std::size_t bag) {
  std::vector<bool> held_out(n);
  if (share == 0) return held_out;
  const auto wanted = static_cast<std::size_t>(std::llround(share * static_cast<double>(n)));
  const std::size_t count = std::clamp<std::size_t>(wanted, 1, n - 1);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomSequence(CounterRandom(seed, "ebm bag", bag)).shuffle(order);
  for (std::size_t i = 0; i < count; ++i) held_out[order[i]] = true;
  return held_out;
}

}  // namespace

std::span<const std::pair<std::string_view, BagSplit>> EnumNames<BagSplit>::table() {
  static constexpr std::array<std::pair<std::string_view, BagSplit>, 2> kNames = {
      {{"query", BagSplit::kQuery}, {"row", BagSplit::kRow}}};
  return kNames;
}

std::span<const std::pair<std::string_view, StopOn>> EnumNames<StopOn>::table() {
  static constexpr std::array<std::pair<std::string_view, StopOn>, 2> kNames = {
      {{"valid", StopOn::kValid}, {"bag", StopOn::kBag}}};
  return kNames;
}

void BagParams::visit(ParamVisitor& visitor) {
  visitor.field("bags", bags,
                "number of models to train and average; each leaves some of the queries out",
                Range{1, 10000});
  visitor.section("advanced");
  visitor.field("valid_share", valid_share, "share of the queries that each bag holds out",
                Range{.low = 0, .high = 1, .open_high = true});
  visitor.field(
      "stop_on", stop_on,
      "data used for early stopping: the validation data, or the queries that a bag holds out");
}

void check_bags(const BagParams& bagging) {
  if (bagging.stop_on == StopOn::kBag && bagging.valid_share == 0) {
    fail(ErrorKind::kUsage, "stop_on bag needs queries that a bag holds out; valid_share is 0");
  }
}

BagSplitRows split_bag(const QueryGroups& queries, const BagRules& rules, std::uint64_t seed,
                       std::size_t bag) {
  return split_bag(queries, shard_of(queries, *Communicator::alone()), rules, seed, bag);
}

BagSplitRows split_bag(const QueryGroups& queries, const Shard& shard, const BagRules& rules,
                       std::uint64_t seed, std::size_t bag) {
  const bool by_query = rules.split == BagSplit::kQuery;
  const std::size_t n = by_query ? shard.num_queries : shard.num_rows;
  if (n < 2 && rules.share > 0) {
    fail(ErrorKind::kInput, "the training data has {} {}; a bag needs two, one of them to hold out",
         n, by_query ? (n == 1 ? "query" : "queries") : (n == 1 ? "row" : "rows"));
  }
  const std::vector<bool> held_out = draw_held_out(n, rules.share, seed, bag);
  BagSplitRows rows;
  for (std::size_t q = 0; q < queries.num_queries(); ++q) {
    for (std::size_t r = queries.rows(q).begin; r < queries.rows(q).end; ++r) {
      (held_out[by_query ? shard.first_query + q : shard.first_row + r] ? rows.held_out
                                                                        : rows.train)
          .push_back(static_cast<std::uint32_t>(r));
    }
  }
  return rows;
}

}  // namespace glassrank
