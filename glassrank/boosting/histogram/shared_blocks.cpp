#include "glassrank/boosting/histogram/shared_blocks.h"

#include <algorithm>

namespace glassrank {

SharedBlocks::SharedBlocks(std::span<const std::size_t> begins, const Communicator& machines) {
  const auto num_machines = static_cast<std::size_t>(machines.size());
  const std::span<const std::size_t> items = begins.first(begins.size() - 1);
  const auto first_item = [&](std::size_t machine) {
    const auto behind_share = [&](std::size_t begin) {
      return begin * num_machines >= begins.back() * machine;
    };
    return static_cast<std::size_t>(std::ranges::find_if(items, behind_share) - items.begin());
  };
  for (std::size_t machine = 0; machine < num_machines; ++machine) {
    const std::size_t first = machine == 0 ? 0 : first_item(machine);
    const std::size_t last = machine + 1 == num_machines ? items.size() : first_item(machine + 1);
    sizes_.push_back(begins[last] - begins[first]);
    if (machine != static_cast<std::size_t>(machines.rank())) continue;
    own_items_ = {first, last};
    own_values_ = {begins[first], begins[last]};
  }
}

}  // namespace glassrank
