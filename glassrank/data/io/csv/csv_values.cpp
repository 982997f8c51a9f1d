#include "glassrank/data/io/csv/csv_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include <fast_float/fast_float.h>

namespace glassrank {
namespace {

constexpr std::array<std::string_view, 11> kMissingWords = {
    "", "nan", "nat", "na", "n/a", "#n/a", "<na>", "none", "null", "-", "\\n"};

bool equal_in_any_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

// Reads from the front of a text.
class Front {
 public:
  explicit Front(std::string_view text) : text_(text) {}
  bool is_empty() const { return text_.empty(); }
  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Exactly so many digits.
  bool take_number(std::size_t num_digits, int& value) {
    if (text_.size() < num_digits) return false;
    const std::string_view digits = text_.substr(0, num_digits);
    if (!std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; })) return false;
    std::from_chars(digits.data(), digits.data() + num_digits, value);
    text_.remove_prefix(num_digits);
    return true;
  }
  // Any number of digits, at least one, behind a point.
  bool take_fraction(double& value) {
    double unit = 1;
    int digit = 0;
    if (!take_number(1, digit)) return false;
    do {
      unit /= 10;
      value += unit * digit;
    } while (take_number(1, digit));
    return true;
  }

 private:
  std::string_view text_;
};

bool take_day(Front& text, int& day) {
  int year = 0;
  int month = 0;
  int day_of_month = 0;
  if (!text.take_number(4, year) || !text.take('-') || !text.take_number(2, month) ||
      !text.take('-') || !text.take_number(2, day_of_month)) {
    return false;
  }
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day_of_month))};
  if (!date.ok()) return false;
  day = static_cast<int>(std::chrono::sys_days(date).time_since_epoch().count());
  return true;
}

// "18:30", "18:30:07", "18:30:07.25"
bool take_time(Front& text, double& seconds) {
  int hours = 0;
  int minutes = 0;
  int whole = 0;
  double fraction = 0;
  if (!text.take_number(2, hours) || !text.take(':') || !text.take_number(2, minutes)) return false;
  if (text.take(':')) {
    if (!text.take_number(2, whole)) return false;
    if (text.take('.') && !text.take_fraction(fraction)) return false;
  }
  // A minute may have a leap second.
  if (hours > 23 || minutes > 59 || whole > 60) return false;
  seconds = 3600.0 * hours + 60.0 * minutes + whole + fraction;
  return true;
}

// Nothing, "Z", "+02:00", "+0200", "+02": what the zone is ahead of UTC.
bool take_zone(Front& text, double& seconds) {
  seconds = 0;
  if (text.is_empty() || text.take('Z')) return true;
  const bool is_behind = text.take('-');
  int hours = 0;
  int minutes = 0;
  if ((!is_behind && !text.take('+')) || !text.take_number(2, hours)) return false;
  if (!text.is_empty()) {
    text.take(':');
    if (!text.take_number(2, minutes)) return false;
  }
  if (hours > 23 || minutes > 59) return false;
  seconds = (is_behind ? -1.0 : 1.0) * (3600.0 * hours + 60.0 * minutes);
  return true;
}

}  // namespace

MissingWords::MissingWords(std::span<const std::string> more) {
  for (const std::string& word : more) {
    const auto number = parse_number(word);
    if (number && !std::isnan(*number)) {
      numbers_.push_back(*number);
    } else {
      words_.push_back(word);
    }
  }
}

bool MissingWords::has(std::string_view text) const {
  const auto is_text = [&](std::string_view word) { return equal_in_any_case(text, word); };
  if (std::ranges::any_of(kMissingWords, is_text)) return true;
  if (std::ranges::find(words_, text) != words_.end()) return true;
  const auto number = has_numbers() ? parse_number(text) : std::nullopt;
  return number && has(*number);
}

bool MissingWords::has(float value) const {
  return std::ranges::find(numbers_, value) != numbers_.end();
}

std::optional<float> parse_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  float value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = fast_float::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<float> parse_boolean(std::string_view text) {
  if (equal_in_any_case(text, "true") || equal_in_any_case(text, "yes")) return 1.0F;
  if (equal_in_any_case(text, "false") || equal_in_any_case(text, "no")) return 0.0F;
  return std::nullopt;
}

std::optional<float> parse_date(std::string_view text) {
  Front front(text);
  int day = 0;
  double seconds = 0;
  double ahead = 0;
  if (!take_day(front, day)) return std::nullopt;
  if (!front.is_empty()) {
    if (!front.take('T') && !front.take(' ')) return std::nullopt;
    if (!take_time(front, seconds) || !take_zone(front, ahead) || !front.is_empty()) {
      return std::nullopt;
    }
  }
  constexpr double kSecondsPerDay = 86400;
  return static_cast<float>(day + (seconds - ahead) / kSecondsPerDay);
}

bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos || text.find(',', comma + 1) != text.npos) return false;
  std::string pointed(text);
  pointed[comma] = '.';
  return parse_number(pointed).has_value();
}

}  // namespace glassrank
