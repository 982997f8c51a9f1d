#include "glassrank/boosting/histogram/shared_planes.h"

#include <algorithm>

namespace glassrank {

SharedPlanes::SharedPlanes(std::span<const FeatureGroup> groups, std::size_t plane_size,
                           const Context& context)
    : context_(context) {
  const auto num_machines = static_cast<std::size_t>(context.communicator->size());
  const auto own = static_cast<std::size_t>(context.communicator->rank());
  // The group at which a machine's begin: the first one that begins behind its share.
  const auto first_group = [&](std::size_t machine) {
    return static_cast<std::size_t>(
        std::ranges::lower_bound(groups, plane_size * machine, {},
                                 [&](const FeatureGroup& g) { return g.begin * num_machines; }) -
        groups.begin());
  };
  const auto value = [&](std::size_t group) {
    return group == groups.size() ? plane_size : groups[group].begin;
  };
  for (std::size_t machine = 0; machine < num_machines; ++machine) {
    const RowRange range{first_group(machine), first_group(machine + 1)};
    block_sizes_.push_back(value(range.end) - value(range.begin));
    if (machine != own) continue;
    own_groups_ = range;
    own_range_ = {.begin = value(range.begin), .size = block_sizes_.back()};
  }
  if (num_machines > 1) sums_.resize(own_range_.size);
}

void SharedPlanes::scatter(Buffer<std::int32_t>& plane) const {
  context_.communicator->sum_scatter(std::span<const std::int32_t>(plane.span()), block_sizes_,
                                     std::span(sums_));
  std::ranges::copy(sums_, plane.data() + own_range_.begin);
}

void SharedPlanes::add_up(PackedHistogram& planes) const {
  if (context_.communicator->is_alone()) return;
  RowSums& rows = planes.rows;
  std::int64_t sums[] = {rows.gradient, rows.gradient_size, rows.hessian};
  context_.communicator->sum(std::span(sums));
  rows = {.gradient = sums[0], .gradient_size = sums[1], .hessian = sums[2]};
  const bool packs = rows.fit_words();
  if (packs && !planes.is_packed) pack(planes, context_);
  if (!packs && planes.is_packed) unpack(planes, context_);
  scatter(planes.gradient);
  if (!packs) scatter(planes.hessian);
}

}  // namespace glassrank
