#include "glassrank/explain/amounts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/fixed_text.h"

namespace glassrank {

Amounts::Amounts(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return;
  const int magnitude = static_cast<int>(std::floor(std::log10(largest)));
  is_scientific_ = magnitude < -5 || magnitude > 6;
  decimals_ = std::clamp(2 - magnitude, 0, 7);
}

bool Amounts::is_zero(double amount) const {
  return is_scientific_ ? amount == 0 : std::abs(amount) < 0.5 * std::pow(10.0, -decimals_);
}

std::string Amounts::plain(double amount) const {
  if (is_scientific_) return fmt::format("{:.2e}", amount);
  return fixed_text(is_zero(amount) ? 0.0 : amount, decimals_);
}

std::string Amounts::whole(double amount) const {
  if (is_scientific_ || amount == 0) return plain(amount);
  const int own = 2 - static_cast<int>(std::floor(std::log10(std::abs(amount))));
  return fixed_text(amount, std::max(decimals_, std::clamp(own, 0, 2)));
}

std::string Amounts::with_sign(double amount) const {
  return !is_zero(amount) && amount > 0 ? "+" + plain(amount) : plain(amount);
}

}  // namespace glassrank
