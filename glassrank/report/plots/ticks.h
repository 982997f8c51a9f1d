#pragma once
// Where the marks of an axis stand and what they say: round numbers, as many as there is room for.

#include <cstddef>
#include <string>
#include <vector>

namespace glassrank {

struct Tick {
  double value = 0;
  std::string label;
};

// Multiples of 1, 2 or 5 times a power of ten within [low, high], at most `most` of them where
// that can be (two at least). All with the same number of decimals, none if `whole`.
std::vector<Tick> linear_ticks(double low, double high, std::size_t most, bool whole = false);

// Powers of ten within [low, high], 0 < low; with 2 and 5 times them where there are few. Ranges
// that hold fewer than two such numbers get linear ticks.
std::vector<Tick> log_ticks(double low, double high, std::size_t most);

// 12345.5 with 1 decimal is "12,345.5"; from 10 million on as 1.2e+07.
std::string tick_label(double value, int decimals);

// A range of values a scale can show: not finite or empty ranges become [0, 1], a single value a
// range around it.
struct Span {
  double low = 0;
  double high = 1;
};
Span usable(Span span);
// The span widened to the multiples of the tick step around it.
Span rounded(Span span, std::size_t most);

// Values to pixels.
struct Scale {
  Span values;
  double from = 0;  // pixel of values.low
  double to = 1;
  bool log = false;
  bool whole = false;  // only whole numbers make sense

  double operator()(double value) const;
};

}  // namespace glassrank
