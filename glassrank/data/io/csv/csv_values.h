#pragma once
// What a cell of CSV can be but a plain number: missing, true or false, a date.
//
//   missing   an empty cell, NA, N/A, #N/A, <NA>, NaN, NaT, None, null, - or \N, in any case, and
//             what ReadParams::na_values adds (texts, in this case; numbers, by value)
//   boolean   true, false, yes, no in any case: 1 and 0, which may stand beside them
//   date      2024-05-31, or with a time: 2024-05-31T18:30, 2024-05-31 18:30:07.25+02:00. Days
//   since
//             1970-01-01 UTC, a time as a part of a day; without a zone it is UTC. As a float32 a
//             day is exact, a time good to two minutes.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glassrank {

class MissingWords {
 public:
  explicit MissingWords(std::span<const std::string> more = {});
  bool has(std::string_view text) const;
  // Whether numbers can be missing, and whether this one is.
  bool has_numbers() const { return !numbers_.empty(); }
  bool has(float value) const;

 private:
  std::vector<std::string> words_;
  std::vector<float> numbers_;
};

// Of all of a text without blanks around it; empty if it is none.
std::optional<float> parse_number(std::string_view text);  // may be infinite or, with letters, NaN
std::optional<float> parse_boolean(std::string_view text);
std::optional<float> parse_date(std::string_view text);
// "3,5", as many languages write it.
bool has_decimal_comma(std::string_view text);

}  // namespace glassrank
