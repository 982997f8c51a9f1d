#pragma once
// A finished picture: SVG elements on a canvas of a known size, in pixels.
//
// Charts (line_chart.h, heat_map.h, rank_chart.h, bar_chart.h) return one; svg() is a file of its
// own or an element inside a page. The same data give the same bytes.

#include <span>
#include <string>
#include <string_view>

namespace glassrank {

struct Picture {
  double width = 0;
  double height = 0;
  std::string title;  // for screen readers
  std::string body;   // SVG elements

  std::string svg() const;
};

// With "How to read this: ..." below it, in as many lines as it takes.
Picture with_note(Picture picture, std::string_view note);

// One below the other, as wide as the widest.
Picture stacked(std::span<const Picture> pictures);

}  // namespace glassrank
