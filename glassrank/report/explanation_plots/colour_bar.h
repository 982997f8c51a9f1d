#pragma once
// The key beside a picture: from which amount to which a colour stands.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/report/plots/canvas.h"
#include "glassrank/report/plots/ticks.h"

namespace glassrank {

inline constexpr double kColourBarWidth = 14;
// Of points whose value is missing or has no place on the scale.
inline constexpr std::string_view kNoValueColour = "#b9c0c9";

struct ColourBar {
  std::string label;                             // beside it, reading from below
  std::vector<Tick> ticks;                       // values in [0, 1], from below
  std::function<std::string(double)> colour_of;  // of a share in [0, 1]
};

// Room to the right of a plot, with 18 pixels of gap.
double room_for(const ColourBar& bar);
void draw_colour_bar(Canvas& canvas, Point top_left, double height, const ColourBar& bar);

// Of values that are only ordered: low at the bottom, high at the top.
ColourBar percentile_bar(std::string label);
// Of signed amounts, 0 in the middle.
ColourBar signed_bar(std::string label, double largest, double height);

}  // namespace glassrank
