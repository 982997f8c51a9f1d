#include "glassrank/boosting/histogram/packed_histogram.h"

#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkValues = 8192;  // worth sharing out

}  // namespace

bool packs_words(const RowSums& rows, const Context& context) {
  return context.communicator->size() == 1 && rows.fit_words();
}

void subtract(PackedHistogram& parent, const PackedHistogram& child, const Context& context) {
  parent.rows -= child.rows;
  const bool packs = packs_words(parent.rows, context);
  parallel_for(context, parent.gradient.size(), kChunkValues,
               [&](std::size_t begin, std::size_t end) {
                 subtract_planes(parent.planes(begin), child.planes(begin), packs, end - begin);
               });
  parent.is_packed = packs;
}

}  // namespace glassrank
