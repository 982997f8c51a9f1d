#pragma once
// The rank of each document of a query after every tree (Lucchese, Marcuzzi, Orlando, SAC 2023,
// Fig. 4), and which documents stay at the bottom all the time.
//
// Documents of equal score rank in input order. With share p of n documents the bottom is the last
// round(p n) ranks.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/data/dataset.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

struct RankTrace {
  std::size_t num_rounds = 0;
  // [document][round]: 0-based rank by the first round + 1 trees.
  std::vector<std::vector<std::uint32_t>> ranks;

  std::size_t num_documents() const { return ranks.size(); }
};

RankTrace trace_ranks(const Forest& forest, const Dataset& data, std::size_t query);

std::size_t bottom_size(std::size_t num_documents, double share);

// Documents of at most this grade that are at the bottom after every tree from number `from` on.
// The paper begins with the first; few trees leave most documents tied, in the order of the file.
std::vector<bool> always_at_bottom(const RankTrace& trace, std::span<const float> grades,
                                   double share, double negative_grade, std::size_t from = 1);

// Which share of the bottom these documents fill after round + 1 trees; NaN for an empty bottom.
double share_of_bottom(const RankTrace& trace, const std::vector<bool>& documents, double share,
                       std::size_t round);

// The query of this name, the first one for no name. Throws Error{kInput} when there are no
// queries, Error{kUsage} when none has the name.
std::size_t query_named(const QueryGroups& queries, const std::string& name);

}  // namespace glassrank
