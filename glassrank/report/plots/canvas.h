#pragma once
// SVG elements, one call each. Texts are escaped here, numbers rounded to a tenth of a pixel.

#include <string>
#include <string_view>
#include <vector>

namespace glassrank {

inline constexpr std::string_view kInk = "#1c2430";
inline constexpr std::string_view kFaintInk = "#5a6675";
inline constexpr std::string_view kGrid = "#e3e7ec";

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

struct Stroke {
  std::string_view colour = kInk;
  double width = 1;
  std::string_view dash = {};  // as in stroke-dasharray; empty: solid
};

enum class Anchor { kStart, kMiddle, kEnd };

struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::kStart;
  std::string_view colour = kInk;
  bool bold = false;
  bool upward = false;  // turned by 90 degrees, reading from below
};

class Canvas {
 public:
  void line(Point from, Point to, const Stroke& stroke);
  void polyline(const std::vector<Point>& points, const Stroke& stroke);
  void polygon(const std::vector<Point>& points, std::string_view fill, double opacity = 1);
  void rect(const Box& box, std::string_view fill);
  void circle(Point centre, double radius, std::string_view fill);
  // `at` is on the base line.
  void text(Point at, std::string_view text, const TextStyle& style = {});
  // Ready elements.
  void add(std::string_view elements) { body_ += elements; }

  std::string take() { return std::move(body_); }

 private:
  std::string body_;
};

// At most one decimal, no trailing zeros, never "-0" or "nan".
std::string svg_number(double value);

// Markup escaped; bytes that are no UTF-8 and control characters become U+FFFD.
std::string svg_text(std::string_view text);

// About how wide a text is, from above, in the fonts a reader may have.
double text_width(std::string_view text, double size);
// The text, or as much of it as fits, ending in an ellipsis.
std::string fitted(std::string_view text, double size, double width);

}  // namespace glassrank
