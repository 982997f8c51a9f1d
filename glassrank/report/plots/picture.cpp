#include "glassrank/report/plots/picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/report/plots/canvas.h"

namespace glassrank {

std::string Picture::svg() const {
  const std::string w = svg_number(width);
  const std::string h = svg_number(height);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\">\n"
      "<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      w, h, svg_text(title), body);
}

Picture stacked(std::span<const Picture> pictures) {
  Picture all;
  for (const Picture& picture : pictures) {
    all.body += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", svg_number(all.height),
                            picture.body);
    all.title += fmt::format("{}{}", all.title.empty() ? "" : "; ", picture.title);
    all.height += picture.height;
    all.width = std::max(all.width, picture.width);
  }
  return all;
}

}  // namespace glassrank
