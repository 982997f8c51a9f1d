#pragma once
// A weighted sum of features: what linear regression and coordinate ascent produce. Immutable;
// copies share the weights.
//
//   score(x) = intercept + sum over features with a weight other than 0, ascending, of
//              weight * value                                                     (in double)
//   value    = x, or the feature's fill where x is missing (NaN)
//
// Normalisation of features is part of the weights: a method that standardises them, z = (x - mean)
// / deviation, hands over weight / deviation and takes weight * mean / deviation off the intercept.
// The order of the sum is part of the definition.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/models/kind.h"

namespace glassrank {

struct LinearParts {
  std::vector<double> weights;  // one per feature
  std::vector<float> fills;     // one per feature; empty: missing values count as 0
  double intercept = 0;
  std::vector<std::string> feature_names;  // empty, or one per feature
  std::string objective;                   // as named by whoever trained it; may be empty

  bool operator==(const LinearParts&) const = default;
};

class Linear {
 public:
  static constexpr std::string_view kKind = "linear model";
  static constexpr std::string_view kParts = "weights";
  static constexpr std::string_view kNative = "linear";
  static constexpr bool kHasSteps = false;

  // No feature: every score is 0.
  Linear();
  // Throws Error{kInput} naming the feature: a weight or fill that is not finite, lists of other
  // lengths.
  explicit Linear(LinearParts parts);

  const LinearParts& parts() const { return *parts_; }
  std::span<const double> weights() const { return parts_->weights; }
  float fill(std::size_t feature) const {
    return parts_->fills.empty() ? 0.0F : parts_->fills[feature];
  }
  double intercept() const { return parts_->intercept; }
  std::size_t num_features() const { return parts_->weights.size(); }
  std::span<const std::string> feature_names() const { return parts_->feature_names; }
  const std::string& objective() const { return parts_->objective; }
  // Weights other than 0.
  std::size_t num_parts() const { return used_features().size(); }
  // Features with such a weight, ascending.
  std::vector<std::uint32_t> used_features() const;
  // Values beyond the row's end count as missing.
  double score(std::span<const float> row) const;

 private:
  std::shared_ptr<const LinearParts> parts_;
};

// As every kind of model (kind.h).
Verification verify(const Linear& linear);
Linear mean_of(std::span<const Linear> bags);
void write_native_body(std::string& out, const Linear& linear);
void read_native_body(NativeReader& reader, Linear& linear);
std::unique_ptr<KindReport> report_of(const Linear& linear, const ReportRequest& request,
                                      const Context& context);

}  // namespace glassrank
