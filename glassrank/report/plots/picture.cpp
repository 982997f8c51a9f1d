#include "glassrank/report/plots/picture.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/report/plots/canvas.h"
#include "glassrank/report/plots/frame.h"

namespace glassrank {
namespace {

constexpr double kLineHeight = 16;
// For readers of dark pages: light becomes dark, hues stay. Every colour in every picture keeps
// what it means, and its contrast to the page. By class: an inline picture is not to change the
// page.
constexpr std::string_view kDarkMode =
    "<style>@media screen and (prefers-color-scheme: dark) { .glassrank-picture { filter: "
    "invert(0.91) hue-rotate(180deg); } }</style>";
constexpr double kSide = 12;

std::vector<std::string> lines_of(std::string_view text, double width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    std::string& line = lines.back();
    const std::string longer = line.empty() ? std::string(word) : fmt::format("{} {}", line, word);
    if (line.empty() || text_width(longer, kTickSize) <= width) {
      line = longer;
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

}  // namespace

std::string Picture::svg() const {
  const std::string w = svg_number(width);
  const std::string h = svg_number(height);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" class=\"glassrank-picture\" "
      "width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\">\n"
      "<title>{2}</title>\n{4}\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      w, h, svg_text(title), body, kDarkMode);
}

Picture with_note(Picture picture, std::string_view note) {
  Canvas canvas;
  double y = picture.height + kLineHeight - 4;
  for (const std::string& line :
       lines_of(fmt::format("How to read this: {}", note), picture.width - 2 * kSide)) {
    canvas.text({kSide, y}, line, {.size = kTickSize, .colour = kFaintInk});
    y += kLineHeight;
  }
  picture.height = y;
  picture.body += canvas.take();
  return picture;
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
