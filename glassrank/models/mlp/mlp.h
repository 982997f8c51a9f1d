#pragma once
// A neural network of dense layers with one output: what RankNet produces. Immutable; copies share
// the weights.
//
//   values of layer 0 = the features, missing ones (NaN) replaced by the feature's fill
//   output o of a layer = activation(bias[o] + sum over inputs i, ascending, weight[o][i] value[i])
//   score = the one output of the last layer                                      (all in double)
//
// Normalisation of features is part of the first layer's weights and biases. The order of the sums
// is part of the definition.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/models/kind.h"

namespace glassrank {

enum class Activation { kIdentity, kSigmoid, kTanh, kRelu };
template <>
struct EnumNames<Activation> {
  static std::span<const std::pair<std::string_view, Activation>> table();
};
std::string_view name_of(Activation activation);
double activate(Activation activation, double sum);
// By what activate() gave.
double activation_slope(Activation activation, double output);

struct MlpLayer {
  std::size_t num_inputs = 0;
  std::vector<double> weights;  // of output o: [o * num_inputs, (o + 1) * num_inputs)
  std::vector<double> biases;   // one per output
  Activation activation = Activation::kIdentity;

  std::size_t num_outputs() const { return biases.size(); }
  std::span<const double> weights_of(std::size_t output) const {
    return std::span(weights).subspan(output * num_inputs, num_inputs);
  }
  bool operator==(const MlpLayer&) const = default;
};

struct MlpParts {
  std::vector<MlpLayer> layers;            // at least one; the last has one output
  std::vector<float> fills;                // one per feature; empty: missing values count as 0
  std::vector<std::string> feature_names;  // empty, or one per feature
  std::string objective;                   // as named by whoever trained it; may be empty

  bool operator==(const MlpParts&) const = default;
};

class Mlp {
 public:
  static constexpr std::string_view kKind = "neural network";
  static constexpr std::string_view kParts = "layers";
  static constexpr std::string_view kNative = "mlp";
  static constexpr bool kHasSteps = false;

  // One layer without inputs: every score is 0.
  Mlp();
  // Throws Error{kInput} naming the layer: sizes that do not fit together, values that are not
  // finite, not one output.
  explicit Mlp(MlpParts parts);

  const MlpParts& parts() const { return *parts_; }
  std::span<const MlpLayer> layers() const { return parts_->layers; }
  std::size_t num_parts() const { return parts_->layers.size(); }
  std::size_t num_features() const { return parts_->layers.front().num_inputs; }
  std::size_t num_weights() const;  // with the biases
  std::span<const std::string> feature_names() const { return parts_->feature_names; }
  const std::string& objective() const { return parts_->objective; }
  // Features with a weight other than 0 in the first layer, ascending.
  std::vector<std::uint32_t> used_features() const;
  // Values beyond the row's end count as missing.
  double score(std::span<const float> row) const;

 private:
  std::shared_ptr<const MlpParts> parts_;
};

// As every kind of model (kind.h).
Verification verify(const Mlp& mlp);
Mlp mean_of(std::span<const Mlp> bags);
void write_native_body(std::string& out, const Mlp& mlp);
void read_native_body(NativeReader& reader, Mlp& mlp);
std::unique_ptr<KindReport> report_of(const Mlp& mlp, const ReportRequest& request,
                                      const Context& context);

}  // namespace glassrank
