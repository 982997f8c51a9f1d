#include "glassrank/metrics/gain.h"

#include <cmath>

#include "glassrank/base/error.h"

namespace glassrank {

double Gain::operator()(double grade) const {
  if (grade < 0) grade = 0;
  switch (kind) {
    case GainKind::kExponential:
      if (const double gain = exponential_gain(grade); std::isfinite(gain)) return gain;
      fail(ErrorKind::kInput,
           "grade {} is too large for the gain 2^grade - 1; choose gain = linear, or gain = table",
           grade);
    case GainKind::kLinear:
      return grade;
    case GainKind::kTable:
      break;
  }
  const bool whole = grade >= 0 && grade == std::floor(grade);
  if (!whole || grade >= static_cast<double>(table.size())) {
    fail(ErrorKind::kInput, "grade {} has no entry in the gain table of grades 0 to {}", grade,
         static_cast<std::ptrdiff_t>(table.size()) - 1);
  }
  return table[static_cast<std::size_t>(grade)];
}

std::vector<double> discount_table(std::size_t size) {
  std::vector<double> table(size);
  for (std::size_t rank = 0; rank < size; ++rank) table[rank] = discount(rank);
  return table;
}

}  // namespace glassrank
