#include "glassrank/report/plots/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

namespace glassrank {
namespace {

struct Colour {
  double red = 0;
  double green = 0;
  double blue = 0;
};

constexpr std::array<std::string_view, 7> kSeries = {"#3b3b3b", "#009e73", "#cc79a7", "#56b4e9",
                                                     "#e69f00", "#0072b2", "#d55e00"};
constexpr std::array<std::string_view, 4> kDashes = {"", "7 3", "2 3", "9 3 2 3"};

constexpr std::array<Colour, 8> kCividis = {{{0, 32, 77},
                                             {27, 56, 109},
                                             {70, 78, 108},
                                             {102, 102, 112},
                                             {134, 127, 121},
                                             {168, 153, 112},
                                             {207, 185, 88},
                                             {255, 234, 70}}};
constexpr std::array<Colour, 4> kGreens = {
    {{188, 216, 196}, {127, 184, 148}, {63, 138, 96}, {20, 83, 47}}};

// From kLowers to kRaises.
constexpr std::array<Colour, 3> kSigned = {{{0, 103, 168}, {255, 255, 255}, {192, 79, 0}}};

constexpr std::array<Colour, 5> kPercentiles = {
    {{0, 84, 150}, {70, 140, 190}, {150, 148, 152}, {221, 135, 62}, {196, 78, 0}}};

std::string interpolated(std::span<const Colour> anchors, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(anchors.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), anchors.size() - 2);
  const double rest = place - static_cast<double>(below);
  const auto mix = [&](double a, double b) {
    return static_cast<int>(std::lround(a + (b - a) * rest));
  };
  const Colour& a = anchors[below];
  const Colour& b = anchors[below + 1];
  return fmt::format("#{:02x}{:02x}{:02x}", mix(a.red, b.red), mix(a.green, b.green),
                     mix(a.blue, b.blue));
}

}  // namespace

std::string_view series_colour(std::size_t series) { return kSeries[series % kSeries.size()]; }

std::string_view line_dash(std::size_t number) { return kDashes[number % kDashes.size()]; }

std::string_view series_dash(std::size_t series) { return line_dash(series / kSeries.size()); }

std::string amount_colour(double share) {
  return interpolated(kCividis, std::isnan(share) ? 0 : share);
}

std::string_view ink_on_amount(double share) { return share > 0.55 ? "#000000" : "#ffffff"; }

std::string signed_colour(double share) {
  return interpolated(kSigned, std::isnan(share) ? 0.5 : (share + 1) / 2);
}

std::string percentile_colour(double share) {
  return interpolated(kPercentiles, std::isnan(share) ? 0.5 : share);
}

std::string grade_colour(std::size_t level, std::size_t num_levels) {
  if (level == 0) return "#d6d9dd";
  if (num_levels <= 2) return interpolated(kGreens, 0.6);
  return interpolated(kGreens,
                      static_cast<double>(level - 1) / static_cast<double>(num_levels - 2));
}

}  // namespace glassrank
