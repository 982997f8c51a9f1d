#pragma once
// Colours that stay apart for readers with any kind of colour vision.
//
// Series: Okabe & Ito's set (2008), without its yellow, which is too light for lines on white; its
// blue and vermilion come last, for in these pictures they are what lowers and what raises.
// Amounts: cividis (Nunez et al. 2018), interpolated between eight of its colours, dark = little.
// Signed amounts: the page's blue below 0 (lowers), white at 0, its orange above (raises).
// Places among others (percentiles), for points on white: the set's blue for low, a grey for the
// middle, its vermilion for high; none of them light.
// Grades: as on the page, light grey for the lowest, then greens, darker for higher.

#include <cstddef>
#include <string>
#include <string_view>

namespace glassrank {

// Repeats after seven; series_dash is another for every repetition, solid for the first.
std::string_view series_colour(std::size_t series);
std::string_view series_dash(std::size_t series);
// Four of them, solid first.
std::string_view line_dash(std::size_t number);

// `share` in [0, 1]; others are clamped.
std::string amount_colour(double share);
// Black or white, whichever is read better on amount_colour(share).
std::string_view ink_on_amount(double share);

// `share` in [-1, 1]; others are clamped.
std::string signed_colour(double share);

// `share` in [0, 1]; others are clamped.
std::string percentile_colour(double share);

// Level `level` of `num_levels` grades, 0 the lowest.
std::string grade_colour(std::size_t level, std::size_t num_levels);

inline constexpr std::string_view kHighlight = "#d55e00";
// What raises a document and what lowers it, as on the page (web/src/style.css).
inline constexpr std::string_view kRaises = "#c04f00";
inline constexpr std::string_view kLowers = "#0067a8";

}  // namespace glassrank
