#pragma once
// A number with so many decimals. What is rounded to zero has no sign: "0.000", not "-0.000".

#include <string>

#include <fmt/format.h>

namespace glassrank {

inline std::string fixed_text(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  return text;
}

}  // namespace glassrank
