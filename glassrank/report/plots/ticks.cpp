#include "glassrank/report/plots/ticks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glassrank {
namespace {

constexpr double kSlack = 1e-9;  // of a step: a border computed with rounding still counts

// The smallest of 1, 2, 5 times a power of ten with at most `most` multiples in the span.
double round_step(Span span, std::size_t most) {
  const double least = (span.high - span.low) / static_cast<double>(std::max<std::size_t>(most, 2));
  double step = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0}) {
    const double candidate = step * factor;
    const double count =
        std::floor(span.high / candidate + kSlack) - std::ceil(span.low / candidate - kSlack) + 1;
    if (candidate >= least * 0.5 && count <= static_cast<double>(most)) return candidate;
  }
  return step * 20;
}

int decimals_of(double step) {
  int decimals = 0;
  while (decimals < 9 && std::abs(step - std::round(step)) > kSlack * std::max(1.0, step)) {
    step *= 10;
    ++decimals;
  }
  return decimals;
}

}  // namespace

std::string tick_label(double value, int decimals) {
  if (std::abs(value) >= 1e7) return fmt::format("{:.3g}", value);
  const std::string plain = fmt::format("{:.{}f}", std::abs(value), decimals);
  const std::size_t point = std::min(plain.find('.'), plain.size());
  std::string text =
      std::signbit(value) && plain.find_first_not_of("0.") != std::string::npos ? "-" : "";
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (i > 0 && i < point && (point - i) % 3 == 0) text += ',';
    text += plain[i];
  }
  return text;
}

std::vector<Tick> linear_ticks(double low, double high, std::size_t most, bool whole) {
  const Span span = usable({low, high});
  double step = round_step(span, std::max<std::size_t>(most, 2));
  if (whole) step = std::max(step, 1.0);
  const int decimals = decimals_of(step);
  std::vector<Tick> ticks;
  const double first = std::ceil(span.low / step - kSlack);
  const double last = std::floor(span.high / step + kSlack);
  for (double i = first; i <= last; ++i) {
    ticks.push_back({.value = i * step, .label = tick_label(i * step, decimals)});
  }
  return ticks;
}

std::vector<Tick> log_ticks(double low, double high, std::size_t most) {
  std::vector<Tick> ticks;
  const double decades = std::log10(high / low);
  const double first = std::floor(std::log10(low));
  // One power of ten in `every`, so that no more than `most` are left.
  const double every =
      std::max(1.0, std::ceil(decades / static_cast<double>(std::max<std::size_t>(most, 2) - 1)));
  const bool is_fine = 3 * decades + 1 <= static_cast<double>(most);
  for (double power = first; power <= std::log10(high) + kSlack; power += every) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor > 1 && !is_fine) continue;
      const double value = factor * std::pow(10.0, power);
      if (value < low * (1 - kSlack) || value > high * (1 + kSlack)) continue;
      ticks.push_back({.value = value, .label = tick_label(value, decimals_of(value))});
    }
  }
  return ticks.size() < 2 ? linear_ticks(low, high, most) : ticks;
}

Span usable(Span span) {
  if (!std::isfinite(span.low) || !std::isfinite(span.high) || span.low > span.high) return {0, 1};
  const double around = std::max(std::abs(span.low), std::abs(span.high));
  if (span.high - span.low > 1e-9 * around && span.high > span.low) return span;
  const double margin = around == 0 ? 0.5 : around * 0.05;
  return {span.low - margin, span.high + margin};
}

Span rounded(Span span, std::size_t most) {
  span = usable(span);
  const double step = round_step(span, most);
  return {std::floor(span.low / step + kSlack) * step, std::ceil(span.high / step - kSlack) * step};
}

double Scale::operator()(double value) const {
  double share = (value - values.low) / (values.high - values.low);
  if (log) share = std::log(value / values.low) / std::log(values.high / values.low);
  return from + share * (to - from);
}

}  // namespace glassrank
