#include "glassrank/data/io/number_scanner.h"

#include <cmath>
#include <limits>
#include <system_error>

#include <fast_float/fast_float.h>

namespace glassrank {

NumberStatus parse_float(std::string_view token, float& value) {
  if (token.empty()) return NumberStatus::kNotANumber;
  if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
  const char* end = token.data() + token.size();
  const auto result = fast_float::from_chars(token.data(), end, value);
  // Some versions of fast_float report overflow as an error, others as infinity alone.
  const bool out_of_range = result.ec == std::errc::result_out_of_range;
  if ((result.ec != std::errc{} && !out_of_range) || result.ptr != end) {
    return NumberStatus::kNotANumber;
  }
  const std::string_view digits = token.substr(token[0] == '-' ? 1 : 0);
  if (std::isnan(value)) {
    if (digits.size() != 3) return NumberStatus::kNotANumber;  // nan(text)
    value = std::numeric_limits<float>::quiet_NaN();
  }
  if (std::isinf(value)) {
    const bool is_word = digits[0] == 'i' || digits[0] == 'I';
    return is_word ? NumberStatus::kInfinite : NumberStatus::kTooLarge;
  }
  return NumberStatus::kOk;
}

const char* scan_odd_float(const char* p, float& value) {
  const char* end = p;
  while (!is_blank(*end) && *end != '\n' && *end != '#') ++end;
  const std::string_view token(p, static_cast<std::size_t>(end - p));
  return parse_float(token, value) == NumberStatus::kOk ? end : nullptr;
}

}  // namespace glassrank
