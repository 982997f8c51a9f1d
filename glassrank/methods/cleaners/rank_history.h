#pragma once
// Where a base model ranked some documents as its forest grew: what convinced a cleaner.
//
// Replays the forest's trees over the queries of these documents only; ranks are among all
// documents of the query, equal scores in input order, scores as during training (summed in the
// order of trees). Cost: trees * documents of those queries.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

// ranks[i][k]: 0-based rank of rows[i] after the first rounds[k] trees. `rows` and `rounds` ascend;
// no round is beyond the forest.
std::vector<std::vector<std::uint32_t>> rank_history(const Forest& forest, const Dataset& data,
                                                     std::span<const std::uint32_t> rows,
                                                     std::span<const std::size_t> rounds,
                                                     const Context& context);

// A handful of rounds of [first, last]: both ends and 10, 25, 50 and 75 % of the way; fewer if the
// window is short.
std::vector<std::size_t> history_rounds(std::size_t first, std::size_t last);

}  // namespace glassrank
