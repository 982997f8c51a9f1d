#pragma once
// Where rows lie along an axis, as bars in pixels: equal slices, a cell's rows spread evenly over
// its place, so that heights tell where the rows are, whatever the cells.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace glassrank {

inline constexpr std::string_view kRowColour = "#b4bcc5";

// From low to high in pixels, which go either way on the canvas.
struct RowBar {
  double low = 0;
  double high = 0;
  double weight = 0;
};

// `cells` lie between `from` and `to`, which has `count` slices.
std::vector<RowBar> row_slices(std::span<const RowBar> cells, double from, double to,
                               std::size_t count);

}  // namespace glassrank
