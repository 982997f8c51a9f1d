#include "glassrank/report/explanation_plots/parts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glassrank {

std::string_view colour_of(const Part& part) {
  if (part.is_sum) return part.amount < 0 ? kLowersPale : kRaisesPale;
  return part.amount < 0 ? kLowers : kRaises;
}

std::string label_of(const Part& part) {
  return part.value.empty() ? part.label : fmt::format("{} = {}", part.label, part.value);
}

Amounts amounts_of(const std::vector<Part>& parts) {
  double largest = 0;
  double sum = 0;
  for (const Part& part : parts) {
    largest = std::max(largest, std::abs(part.amount));
    sum += part.amount;
  }
  return Amounts(std::max(largest, std::abs(sum)));
}

std::vector<Part> first_parts(const std::vector<Part>& parts, std::size_t most) {
  // One more line says which feature it is at no cost.
  if (most == 0 || parts.size() <= most + 1) return parts;
  std::vector<Part> first(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(most));
  Part others{.label = fmt::format("{} other features", parts.size() - most),
              .value = {},
              .amount = 0,
              .is_sum = true};
  for (std::size_t i = most; i < parts.size(); ++i) others.amount += parts[i].amount;
  first.push_back(std::move(others));
  return first;
}

}  // namespace glassrank
