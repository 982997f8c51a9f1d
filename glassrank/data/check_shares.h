#pragma once
// Whether what several machines hold is one data set: checked before anything is made of it.
//
// The engine takes for granted that all machines have the same features and that queries are whole
// (shard.h). Where rows come from outside, as each machine's own arrays or its own copy of a file,
// nothing but these checks says so, and training would go on with columns that mean something else,
// or with halves of queries. Cost: names of features and 8 bytes a query go to every machine.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "glassrank/base/communicator.h"
#include "glassrank/data/row_table.h"

namespace glassrank {

// Each machine's own rows. Collective; throws Error{kInput} on every machine where features,
// categories or weights differ, or a query is on two machines. A machine without rows may have any
// features: it is to take those that are returned, of the machines with rows; nothing is returned
// where it has them, and to all others.
std::optional<Schema> check_shares(const RowTable& own, std::string_view what,
                                   const Communicator& machines);

// Each machine's copy of the whole, of which it takes some rows; `bins`: a number that stands for
// its cut points, if it has bins. Collective; throws Error{kInput} on every machine where copies
// differ. Values of features are not compared.
void check_copies(const RowTable& whole, std::uint64_t bins, const std::string& name,
                  const Communicator& machines);

}  // namespace glassrank
