#include "glassrank/data/io/svmlight/svmlight_rows.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "glassrank/data/io/number_scanner.h"

// Compiled once for each kind of processor.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/data/io/svmlight/svmlight_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "glassrank/data/io/svmlight/svmlight_rows_inl.h"

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(parse_row);

// Beyond so many columns files are sparse and prediction is no use.
constexpr std::size_t kMostPredicted = 4096;

}  // namespace

SvmlightRowParser::SvmlightRowParser(std::uint32_t first_id, std::size_t num_features, float absent)
    : layout_{first_id, num_features, absent, {}} {
  const std::size_t num_predicted = std::min(num_features, kMostPredicted);
  layout_.id_texts.reserve(num_predicted + 1);
  for (std::size_t column = 0; column < num_predicted; ++column) {
    std::array<char, 16> text = {};
    const auto end = fmt::format_to(text.data(), "{}:", first_id + column);
    const auto length = static_cast<std::uint32_t>(end - text.data());
    const std::uint32_t shift = 64 - 8 * length;
    layout_.id_texts.push_back({number_scanner::load8(text.data()) << shift, shift, length});
  }
  layout_.id_texts.emplace_back();
}

const char* SvmlightRowParser::parse(const char* p, float* row) const {
  return HWY_DYNAMIC_DISPATCH(parse_row)(layout_, p, row);
}

}  // namespace glassrank
#endif
