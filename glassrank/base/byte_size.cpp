#include "glassrank/base/byte_size.h"

#include <cctype>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr std::string_view kUnits = "KMGT";

// 10 for K, 20 for M, ...; -1: not a unit.
int shift_of(std::string_view unit) {
  if (unit.empty()) return 0;
  const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(unit.front())));
  const std::size_t place = kUnits.find(letter);
  const std::string_view rest = unit.substr(1);
  const bool is_whole = rest.empty() || rest == "B" || rest == "b" || rest == "iB";
  return place == std::string_view::npos || !is_whole ? -1 : 10 * (static_cast<int>(place) + 1);
}

}  // namespace

std::uint64_t parse_byte_size(std::string_view text) {
  if (text.empty()) return 0;
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  const int shift = shift_of({parsed.ptr, static_cast<std::size_t>(end - parsed.ptr)});
  if (parsed.ec != std::errc() || shift < 0 || number == 0 ||
      number > (std::numeric_limits<std::uint64_t>::max() >> shift)) {
    fail(ErrorKind::kUsage, "'{}' is not an amount of memory; 800M, 4G or 65536 would be", text);
  }
  return number << shift;
}

std::string byte_size_text(std::uint64_t num_bytes) {
  std::size_t unit = 0;
  while (unit < kUnits.size() && num_bytes > 0 && num_bytes % 1024 == 0) {
    num_bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{}", num_bytes)
                   : fmt::format("{}{}", num_bytes, kUnits[unit - 1]);
}

}  // namespace glassrank
