#include "glassrank/report/plots/canvas.h"

#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "glassrank/report/plots/escape.h"

namespace glassrank {
namespace {

// Bytes of the UTF-8 character at the front, 0 if there is none.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  std::size_t size = 0;
  if (first >= 0xC2 && first < 0xE0) size = 2;
  if (first >= 0xE0 && first < 0xF0) size = 3;
  if (first >= 0xF0 && first < 0xF5) size = 4;
  if (size == 0 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies beyond Unicode.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) >= 0xA0) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) >= 0x90) return 0;
  return size;
}

double character_width(char c) {
  constexpr std::string_view kNarrow = "iljtf.,:;'|!()[] ";
  constexpr std::string_view kWide = "mwMW%@";
  if (kNarrow.find(c) != std::string_view::npos) return 0.40;
  if (kWide.find(c) != std::string_view::npos) return 0.98;
  return c >= 'A' && c <= 'Z' ? 0.72 : 0.62;
}

std::string points_text(const std::vector<Point>& points) {
  std::string text;
  for (const Point& point : points) {
    text +=
        fmt::format("{}{},{}", text.empty() ? "" : " ", svg_number(point.x), svg_number(point.y));
  }
  return text;
}

std::string stroke_text(const Stroke& stroke) {
  std::string text =
      fmt::format("stroke=\"{}\" stroke-width=\"{}\"", stroke.colour, svg_number(stroke.width));
  if (!stroke.dash.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", stroke.dash);
  return text;
}

std::string_view anchor_name(Anchor anchor) {
  switch (anchor) {
    case Anchor::kMiddle:
      return "middle";
    case Anchor::kEnd:
      return "end";
    case Anchor::kStart:
      break;
  }
  return "start";
}

}  // namespace

std::string svg_number(double value) {
  if (!std::isfinite(value)) return "0";
  return fmt::format("{}", std::round(value * 10) / 10 + 0.0);  // + 0.0 turns -0 into 0
}

std::string svg_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const bool is_control = size == 1 && static_cast<unsigned char>(text[0]) < 0x20;
    clean += size == 0 || is_control ? std::string_view("\xEF\xBF\xBD") : text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return escape_html(clean);
}

double text_width(std::string_view text, double size) {
  double width = 0;
  while (!text.empty()) {
    const std::size_t bytes = std::max<std::size_t>(character_size(text), 1);
    // Beyond ASCII: Latin and Greek letters are as wide as capitals, the rest up to a square.
    width += bytes == 1 ? character_width(text[0]) : bytes == 2 ? 0.72 : 1.0;
    text.remove_prefix(bytes);
  }
  return width * size;
}

std::string fitted(std::string_view text, double size, double width) {
  if (text_width(text, size) <= width) return std::string(text);
  const double room = width - size;  // for the ellipsis
  if (room < 0) return {};
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = end + std::max<std::size_t>(character_size(text.substr(end)), 1);
    if (text_width(text.substr(0, next), size) > room) break;
    end = next;
  }
  return fmt::format("{}\u2026", text.substr(0, end));
}

void Canvas::line(Point from, Point to, const Stroke& stroke) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", svg_number(from.x),
                       svg_number(from.y), svg_number(to.x), svg_number(to.y), stroke_text(stroke));
}

void Canvas::polyline(const std::vector<Point>& points, const Stroke& stroke) {
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {}/>\n",
                       points_text(points), stroke_text(stroke));
}

void Canvas::polygon(const std::vector<Point>& points, std::string_view fill, double opacity) {
  body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\"", points_text(points), fill);
  if (opacity < 1) body_ += fmt::format(" fill-opacity=\"{:.2f}\"", opacity);
  body_ += "/>\n";
}

void Canvas::rect(const Box& box, std::string_view fill) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                       svg_number(box.left), svg_number(box.top), svg_number(box.width()),
                       svg_number(box.height()), fill);
}

void Canvas::circle(Point centre, double radius, std::string_view fill) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", svg_number(centre.x),
                       svg_number(centre.y), svg_number(radius), fill);
}

void Canvas::text(Point at, std::string_view text, const TextStyle& style) {
  if (text.empty()) return;
  const std::string x = svg_number(at.x);
  const std::string y = svg_number(at.y);
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", x, y,
                       svg_number(style.size), style.colour);
  if (style.anchor != Anchor::kStart) {
    body_ += fmt::format(" text-anchor=\"{}\"", anchor_name(style.anchor));
  }
  if (style.bold) body_ += " font-weight=\"600\"";
  if (style.upward) body_ += fmt::format(" transform=\"rotate(-90 {} {})\"", x, y);
  body_ += fmt::format(">{}</text>\n", svg_text(text));
}

}  // namespace glassrank
