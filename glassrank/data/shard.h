#pragma once
// Where the rows of this machine stand among those of all.
//
// The data of several machines are one data set: the rows of machine 0, then those of machine 1,
// and so on; queries are whole. Whatever is drawn by chance is drawn by these numbers, so that it
// does not depend on how many machines hold the rows. They are asked for anew of every data set,
// also of selected rows: a query that loses every row has no number.

#include <cstddef>
#include <cstdint>

#include "glassrank/base/communicator.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

struct Shard {
  std::size_t first_row = 0;
  std::size_t first_query = 0;
  // Of all machines together.
  std::size_t num_rows = 0;
  std::size_t num_queries = 0;
};

// Collective. Throws Error{kInput} on every machine for more than kMostRows rows in all.
Shard shard_of(const QueryGroups& queries, const Communicator& communicator);

}  // namespace glassrank
