#pragma once
// Numbers and lines as model files write them, and the float32 neighbours that bring another
// program's comparison to ours (see tree.h).
//
// Parsing takes the whole of a text or declines: no blanks, no trailing characters. "inf",
// "infinity" and "nan" are numbers here; whether they make sense is for the caller to say.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace glassrank {

bool parse_number(std::string_view text, double& value);
bool parse_number(std::string_view text, float& value);
bool parse_number(std::string_view text, std::int32_t& value);
bool parse_number(std::string_view text, std::uint32_t& value);
bool parse_number(std::string_view text, std::uint64_t& value);

// The largest float32 that is not above x: for float32 data `v <= x` and `v <= float_at_most(x)`
// are the same test. Values beyond float32's range give the largest float or minus infinity.
inline float float_at_most(double x) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (x > std::numeric_limits<float>::max() && x < HUGE_VAL) {
    return std::numeric_limits<float>::max();
  }
  if (x < std::numeric_limits<float>::lowest()) return -kInfinity;
  const auto nearest = static_cast<float>(x);
  return static_cast<double>(nearest) > x ? std::nextafter(nearest, -kInfinity) : nearest;
}

// `v < x` is `v <= float_below(x)`, `v <= x` is `v < float_above(x)`. There is no float below minus
// infinity or above infinity: such an x is returned as it is and needs care.
inline float float_below(float x) {
  return std::nextafter(x, -std::numeric_limits<float>::infinity());
}
inline float float_above(float x) {
  return std::nextafter(x, std::numeric_limits<float>::infinity());
}

// The words of a line, separated by blanks.
std::vector<std::string_view> split_words(std::string_view line);

// Goes through a text line by line; a carriage return before the newline is not part of the line.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  // The next line, empty at the end.
  std::string_view next();
  std::string_view peek() const;
  std::size_t line_number() const { return line_number_; }  // of the line next() gave last
  std::size_t bytes_left() const { return rest_.size(); }

 private:
  std::string_view rest_;
  std::size_t line_number_ = 0;
};

}  // namespace glassrank
