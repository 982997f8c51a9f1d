#include "glassrank/data/shard.h"

#include <array>

#include "glassrank/base/agree.h"

namespace glassrank {

Shard shard_of(const QueryGroups& queries, const Communicator& communicator) {
  const std::array<std::uint64_t, 2> own = {queries.num_rows(), queries.num_queries()};
  if (communicator.is_alone()) return {.num_rows = own[0], .num_queries = own[1]};
  const std::vector<std::uint64_t> all = gather_values<std::uint64_t>(communicator, own);
  Shard shard;
  for (std::size_t machine = 0; 2 * machine < all.size(); ++machine) {
    if (machine == static_cast<std::size_t>(communicator.rank())) {
      shard.first_row = shard.num_rows;
      shard.first_query = shard.num_queries;
    }
    shard.num_rows += all[2 * machine];
    shard.num_queries += all[2 * machine + 1];
  }
  check_num_rows(shard.num_rows);
  return shard;
}

}  // namespace glassrank
