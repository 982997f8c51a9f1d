#include "glassrank/models/mlp/mlp.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "glassrank/base/elementary.h"
#include "glassrank/base/error.h"

namespace glassrank {
namespace {

void check_layer(const MlpLayer& layer, std::size_t number, std::size_t num_inputs) {
  if (layer.num_inputs != num_inputs) {
    fail(ErrorKind::kInput, "layer {} has {} inputs; the layer before it has {} outputs", number,
         layer.num_inputs, num_inputs);
  }
  if (layer.biases.empty() || layer.weights.size() != layer.num_inputs * layer.num_outputs()) {
    fail(ErrorKind::kInput, "layer {} has {} weights; {} inputs and {} outputs need {}", number,
         layer.weights.size(), layer.num_inputs, layer.num_outputs(),
         layer.num_inputs * layer.num_outputs());
  }
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!std::ranges::all_of(layer.weights, is_finite) ||
      !std::ranges::all_of(layer.biases, is_finite)) {
    fail(ErrorKind::kInput, "layer {} has a weight that is not finite", number);
  }
}

void check(const MlpParts& parts) {
  if (parts.layers.empty()) fail(ErrorKind::kInput, "a neural network needs at least one layer");
  std::size_t num_inputs = parts.layers.front().num_inputs;
  const std::size_t num_features = num_inputs;
  for (std::size_t l = 0; l < parts.layers.size(); ++l) {
    check_layer(parts.layers[l], l + 1, num_inputs);
    num_inputs = parts.layers[l].num_outputs();
  }
  if (num_inputs != 1) {
    fail(ErrorKind::kInput, "the last layer has {} outputs; a score is one", num_inputs);
  }
  if (!parts.fills.empty() && parts.fills.size() != num_features) {
    fail(ErrorKind::kInput, "{} values for missing features; there are {} features",
         parts.fills.size(), num_features);
  }
  if (!std::ranges::all_of(parts.fills, [](float x) { return std::isfinite(x); })) {
    fail(ErrorKind::kInput, "a value for missing features is not finite");
  }
  if (!parts.feature_names.empty() && parts.feature_names.size() != num_features) {
    fail(ErrorKind::kInput, "{} names of features; there are {} features",
         parts.feature_names.size(), num_features);
  }
}

// By e^-x.
double sigmoid_of(double exponential) { return 1 / (1 + exponential); }
// By e^(-2 |x|).
double tanh_of(double x, double exponential) {
  return std::copysign((1 - exponential) / (1 + exponential), x);
}

MlpParts empty_parts() {
  MlpParts parts;
  parts.layers.push_back({.num_inputs = 0, .weights = {}, .biases = {0.0}});
  return parts;
}

}  // namespace

std::span<const std::pair<std::string_view, Activation>> EnumNames<Activation>::table() {
  static constexpr std::array<std::pair<std::string_view, Activation>, 4> kNames = {
      {{"identity", Activation::kIdentity},
       {"sigmoid", Activation::kSigmoid},
       {"tanh", Activation::kTanh},
       {"relu", Activation::kRelu}}};
  return kNames;
}

std::string_view name_of(Activation activation) {
  for (const auto& [name, value] : EnumNames<Activation>::table()) {
    if (value == activation) return name;
  }
  return {};
}

double activate(Activation activation, double sum) {
  switch (activation) {
    case Activation::kIdentity:
      return sum;
    case Activation::kSigmoid:
      return sigmoid_of(portable_exp(-sum));
    case Activation::kTanh:
      return tanh_of(sum, portable_exp(-2 * std::abs(sum)));
    case Activation::kRelu:
      return std::max(sum, 0.0);
  }
  return sum;
}

Mlp::Mlp() : parts_(std::make_shared<const MlpParts>(empty_parts())) {}

Mlp::Mlp(MlpParts parts) {
  check(parts);
  parts_ = std::make_shared<const MlpParts>(std::move(parts));
}

std::size_t Mlp::num_weights() const {
  std::size_t count = 0;
  for (const MlpLayer& layer : layers()) count += layer.weights.size() + layer.biases.size();
  return count;
}

std::vector<std::uint32_t> Mlp::used_features() const {
  const MlpLayer& first = layers().front();
  std::vector<std::uint32_t> used;
  for (std::size_t f = 0; f < num_features(); ++f) {
    bool is_used = false;
    for (std::size_t o = 0; o < first.num_outputs(); ++o) {
      is_used = is_used || first.weights_of(o)[f] != 0;
    }
    if (is_used) used.push_back(static_cast<std::uint32_t>(f));
  }
  return used;
}

double Mlp::score(std::span<const float> row) const {
  std::vector<double> values(num_features());
  for (std::size_t f = 0; f < values.size(); ++f) {
    const bool is_missing = f >= row.size() || std::isnan(row[f]);
    const double fill = parts_->fills.empty() ? 0.0 : parts_->fills[f];
    values[f] = is_missing ? fill : static_cast<double>(row[f]);
  }
  for (const MlpLayer& layer : layers()) {
    std::vector<double> outputs(layer.num_outputs());
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      double sum = layer.biases[o];
      const auto weights = layer.weights_of(o);
      for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * values[i];
      outputs[o] = activate(layer.activation, sum);
    }
    values = std::move(outputs);
  }
  return values.front();
}

}  // namespace glassrank
