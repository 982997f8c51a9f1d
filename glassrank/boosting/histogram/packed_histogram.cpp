#include "glassrank/boosting/histogram/packed_histogram.h"

#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkValues = 8192;  // worth sharing out

}  // namespace

void subtract(PackedHistogram& parent, const PackedHistogram& child, PlaneRange range,
              const Context& context) {
  parent.rows -= child.rows;
  const bool packs = parent.rows.fit_words();
  parallel_for(context, range.size, kChunkValues, [&](std::size_t begin, std::size_t end) {
    const std::size_t at = range.begin + begin;
    subtract_planes(parent.planes(at), child.planes(at), packs, end - begin);
  });
  parent.is_packed = packs;
}

void pack(PackedHistogram& planes, const Context& context) {
  parallel_for(context, planes.gradient.size(), kChunkValues,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   planes.gradient[i] = pack(planes.gradient[i], planes.hessian[i]);
                 }
               });
  planes.is_packed = true;
}

void unpack(PackedHistogram& planes, const Context& context) {
  parallel_for(context, planes.gradient.size(), kChunkValues,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   const std::int32_t packed = planes.gradient[i];
                   planes.gradient[i] = packed_gradient(packed);
                   planes.hessian[i] = packed_hessian(packed);
                 }
               });
  planes.is_packed = false;
}

}  // namespace glassrank
