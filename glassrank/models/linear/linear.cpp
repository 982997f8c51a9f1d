#include "glassrank/models/linear/linear.h"

#include <cmath>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

void check(const LinearParts& parts) {
  const std::size_t num_features = parts.weights.size();
  if (!parts.fills.empty() && parts.fills.size() != num_features) {
    fail(ErrorKind::kInput, "{} values for missing features; there are {} features",
         parts.fills.size(), num_features);
  }
  if (!parts.feature_names.empty() && parts.feature_names.size() != num_features) {
    fail(ErrorKind::kInput, "{} names of features; there are {} features",
         parts.feature_names.size(), num_features);
  }
  if (!std::isfinite(parts.intercept)) {
    fail(ErrorKind::kInput, "the intercept is {}; it must be finite", parts.intercept);
  }
  for (std::size_t f = 0; f < num_features; ++f) {
    if (!std::isfinite(parts.weights[f])) {
      fail(ErrorKind::kInput, "the weight of feature {} is {}; it must be finite", f + 1,
           parts.weights[f]);
    }
    if (!parts.fills.empty() && !std::isfinite(parts.fills[f])) {
      fail(ErrorKind::kInput, "the value for missing feature {} is {}; it must be finite", f + 1,
           parts.fills[f]);
    }
  }
}

}  // namespace

Linear::Linear() : parts_(std::make_shared<LinearParts>()) {}

Linear::Linear(LinearParts parts) {
  check(parts);
  parts_ = std::make_shared<const LinearParts>(std::move(parts));
}

std::vector<std::uint32_t> Linear::used_features() const {
  std::vector<std::uint32_t> used;
  for (std::size_t f = 0; f < num_features(); ++f) {
    if (weights()[f] != 0) used.push_back(static_cast<std::uint32_t>(f));
  }
  return used;
}

double Linear::score(std::span<const float> row) const {
  double sum = intercept();
  for (std::size_t f = 0; f < num_features(); ++f) {
    if (weights()[f] == 0) continue;
    const bool is_missing = f >= row.size() || std::isnan(row[f]);
    sum += weights()[f] * (is_missing ? fill(f) : row[f]);
  }
  return sum;
}

}  // namespace glassrank
