#include "glassrank/report/plots/row_density.h"

#include <algorithm>

namespace glassrank {

std::vector<RowBar> row_slices(std::span<const RowBar> cells, double from, double to,
                               std::size_t count) {
  std::vector<RowBar> slices;
  const double width = (to - from) / static_cast<double>(count);
  for (std::size_t s = 0; s < count; ++s) {
    const double low = from + static_cast<double>(s) * width;
    slices.push_back({.low = low, .high = low + width});
  }
  for (const RowBar& cell : cells) {
    const double size = std::max(cell.high - cell.low, 1e-9);
    const auto first = static_cast<std::size_t>(
        std::clamp((cell.low - from) / width, 0.0, static_cast<double>(count) - 1));
    for (std::size_t s = first; s < count && slices[s].low < cell.low + size; ++s) {
      const double overlap =
          std::min(slices[s].high, cell.low + size) - std::max(slices[s].low, cell.low);
      slices[s].weight += cell.weight * std::max(overlap, 0.0) / size;
    }
  }
  return slices;
}

}  // namespace glassrank
