#include "glassrank/boosting/histogram/shared_planes.h"

#include <algorithm>

namespace glassrank {
namespace {

std::vector<std::size_t> begins_of(std::span<const FeatureGroup> groups, std::size_t plane_size) {
  std::vector<std::size_t> begins;
  for (const FeatureGroup& group : groups) begins.push_back(group.begin);
  begins.push_back(plane_size);
  return begins;
}

}  // namespace

SharedPlanes::SharedPlanes(std::span<const FeatureGroup> groups, std::size_t plane_size,
                           const Context& context)
    : context_(context), blocks_(begins_of(groups, plane_size), *context.communicator) {
  if (!context.communicator->is_alone()) sums_.resize(own_range().size);
}

void SharedPlanes::scatter(Buffer<std::int32_t>& plane) const {
  context_.communicator->sum_scatter(std::span<const std::int32_t>(plane.span()), blocks_.sizes(),
                                     std::span(sums_));
  std::ranges::copy(sums_, plane.data() + own_range().begin);
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
