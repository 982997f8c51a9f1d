// What a neural network says of itself as a kind of model (kind.h).

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/models/kind_report.h"
#include "glassrank/models/mlp/mlp.h"

namespace glassrank {
namespace {

struct LayerReport {
  std::size_t num_outputs = 0;
  std::string activation;

  void visit(ResultVisitor& visitor) const {
    visitor.field("num_outputs", num_outputs, "units");
    visitor.field("activation", activation, "of the units");
  }
};

class MlpReport final : public KindReport {
 public:
  explicit MlpReport(const Mlp& mlp) : mlp_(mlp) {
    for (const MlpLayer& layer : mlp.layers()) {
      layers_.push_back({layer.num_outputs(), std::string(name_of(layer.activation))});
    }
  }

  std::string objective() const override { return mlp_.objective(); }
  void visit_facts(ResultVisitor& visitor) const override {
    visitor.field("num_features", mlp_.num_features(), "features");
    visitor.field("num_weights", mlp_.num_weights(), "weights and biases");
    visitor.list("layers", layers_, "from the features to the score");
  }
  NamedTexts lines() const override {
    std::string sizes = fmt::format("{}", mlp_.num_features());
    std::string activations;
    for (const LayerReport& layer : layers_) {
      sizes += fmt::format(" - {}", layer.num_outputs);
      activations += fmt::format("{}{}", activations.empty() ? "" : ", ", layer.activation);
    }
    return {{"layers", fmt::format("{} units", sizes)},
            {"activations", activations},
            {"weights", fmt::format("{}", mlp_.num_weights())},
            {"features",
             fmt::format("{}, {} of them used", mlp_.num_features(), mlp_.used_features().size())}};
  }

 private:
  Mlp mlp_;
  std::vector<LayerReport> layers_;
};

// Layer `number` of all networks as one. The first layers share their inputs; later ones see those
// of their own network only: zeros elsewhere.
MlpLayer joined_layer(std::span<const Mlp> bags, std::size_t number) {
  MlpLayer joined;
  joined.activation = bags.front().layers()[number].activation;
  for (const Mlp& bag : bags) joined.num_inputs += bag.layers()[number].num_inputs;
  if (number == 0) joined.num_inputs = bags.front().num_features();
  std::size_t first_input = 0;
  for (const Mlp& bag : bags) {
    const MlpLayer& layer = bag.layers()[number];
    for (std::size_t o = 0; o < layer.num_outputs(); ++o) {
      joined.biases.push_back(layer.biases[o]);
      const std::size_t begin = joined.weights.size();
      joined.weights.resize(begin + joined.num_inputs, 0.0);
      std::ranges::copy(layer.weights_of(o),
                        joined.weights.begin() + static_cast<std::ptrdiff_t>(begin + first_input));
    }
    if (number > 0) first_input += layer.num_inputs;
  }
  return joined;
}

}  // namespace

Verification verify(const Mlp& mlp) {
  Verification found{.num_features = mlp.num_features(), .joined = mlp.used_features()};
  for (std::uint32_t f = 0; f < mlp.num_features(); ++f) {
    if (!std::ranges::binary_search(found.joined, f)) found.without_power.push_back(f);
  }
  return found;
}

Mlp mean_of(std::span<const Mlp> bags) {
  MlpParts mean = bags.front().parts();
  const auto alike = [](const MlpLayer& a, const MlpLayer& b) {
    return a.activation == b.activation;
  };
  for (const Mlp& bag : bags) {
    check_same_fills(mean.fills, bag.parts().fills);
    if (!std::ranges::equal(bags.front().layers(), bag.layers(), alike)) {
      fail(ErrorKind::kUsage, "networks with other layers have no mean of their kind");
    }
  }
  for (std::size_t l = 0; l < mean.layers.size(); ++l) mean.layers[l] = joined_layer(bags, l);
  const auto share = 1 / static_cast<double>(bags.size());
  mean.layers.push_back({.num_inputs = bags.size(),
                         .weights = std::vector<double>(bags.size(), share),
                         .biases = {0.0}});
  return Mlp(std::move(mean));
}

std::unique_ptr<KindReport> report_of(const Mlp& mlp, const ReportRequest& /*request*/,
                                      const Context& /*context*/) {
  return std::make_unique<MlpReport>(mlp);
}

}  // namespace glassrank
