#include "glassrank/report/explanation_plots/colour_bar.h"

#include <algorithm>

#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr int kSteps = 32;
constexpr double kGap = 18;

double widest_tick(const ColourBar& bar) {
  double width = 0;
  for (const Tick& tick : bar.ticks) width = std::max(width, text_width(tick.label, kTickSize));
  return width;
}

}  // namespace

double room_for(const ColourBar& bar) {
  return kGap + kColourBarWidth + 8 + widest_tick(bar) + (bar.label.empty() ? 8 : 30);
}

void draw_colour_bar(Canvas& canvas, Point top_left, double height, const ColourBar& bar) {
  const Box box{.left = top_left.x + kGap,
                .top = top_left.y,
                .right = top_left.x + kGap + kColourBarWidth,
                .bottom = top_left.y + height};
  for (int i = 0; i < kSteps; ++i) {
    // Each to the top, where the next covers it: no seams between them.
    canvas.rect({box.left, box.top, box.right, box.bottom - height / kSteps * i},
                bar.colour_of(static_cast<double>(i) / (kSteps - 1)));
  }
  for (const Tick& tick : bar.ticks) {
    const double y = box.bottom - height * tick.value;
    canvas.line({box.right, y}, {box.right + 4, y}, {.colour = kFaintInk});
    canvas.text({box.right + 7, y + 4}, tick.label, {.size = kTickSize, .colour = kFaintInk});
  }
  canvas.text({box.right + 8 + widest_tick(bar) + 16, (box.top + box.bottom) / 2},
              fitted(bar.label, kLabelSize, height + 20),
              {.size = kLabelSize, .anchor = Anchor::kMiddle, .upward = true});
}

ColourBar percentile_bar(std::string label) {
  return {.label = std::move(label),
          .ticks = {{0, "low"}, {1, "high"}},
          .colour_of = [](double share) { return percentile_colour(share); }};
}

ColourBar signed_bar(std::string label, double largest, double height) {
  ColourBar bar{.label = std::move(label), .ticks = {}, .colour_of = [](double share) {
                  return signed_colour(2 * share - 1);
                }};
  for (Tick& tick : linear_ticks(-largest, largest, most_vertical(height))) {
    bar.ticks.push_back({(tick.value / largest + 1) / 2, std::move(tick.label)});
  }
  return bar;
}

}  // namespace glassrank
