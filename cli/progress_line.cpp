#include "cli/progress_line.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glassrank::cli {
namespace {

// The first `width` characters, not bytes, of UTF-8.
std::string_view first_characters(std::string_view text, std::size_t width) {
  std::size_t num_seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (begins && num_seen++ == width) return text.substr(0, i);
  }
  return text;
}

std::size_t num_characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// The end in brackets goes as a whole: half a number tells nothing.
std::string_view shortened_detail(std::string_view detail, std::size_t width) {
  if (num_characters(detail) <= width) return detail;
  return first_characters(detail.substr(0, detail.rfind(" (")), width);
}

// "482/3000", "120/900 MB", "7 folds".
std::string amounts(const ProgressState& state) {
  const bool is_bytes = state.unit == "bytes";
  const auto amount = [&](std::uint64_t value) {
    return fmt::format("{:.0f}",
                       is_bytes ? static_cast<double>(value) / 1e6 : static_cast<double>(value));
  };
  const std::string unit = is_bytes ? " MB" : fmt::format(" {}", state.unit);
  const bool is_rounds = state.unit == "rounds" && state.total > 0;
  return fmt::format("{}{}{}", amount(state.done), state.total > 0 ? "/" + amount(state.total) : "",
                     is_rounds ? "" : unit);
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f}s", seconds);
  const auto minutes = static_cast<std::int64_t>(std::round(seconds / 60));
  if (minutes < 100) return fmt::format("{}min", minutes);
  return fmt::format("{}h{:02}", minutes / 60, minutes % 60);
}

std::string progress_line(const ProgressState& state, std::size_t width) {
  std::string line = state.task == "training" ? "" : fmt::format("{} ", state.task);
  line += fmt::format("[{}]", amounts(state));
  std::string left;
  if (state.total > 0 && state.done > 0) {
    const double share = static_cast<double>(state.done) / static_cast<double>(state.total);
    left =
        fmt::format(" {} left", duration_text(state.seconds * (1 - std::min(share, 1.0)) / share));
  }
  std::string_view detail = state.detail;
  if (width > 0) {
    const std::size_t taken = num_characters(line) + num_characters(left) + 1;
    detail = taken < width ? shortened_detail(detail, width - taken) : "";
  }
  if (!detail.empty()) line += fmt::format(" {}", detail);
  line += left;
  return width > 0 ? std::string(first_characters(line, width)) : line;
}

}  // namespace glassrank::cli
