#include "glassrank/models/mean_model.h"

#include <algorithm>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/models/forest/forest_bags.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/gam_forest.h"

namespace glassrank {
namespace {

Forest mean_body(std::span<const Forest> bags) { return mean_forest(bags); }

Gam mean_body(std::span<const Gam> bags) {
  std::vector<Forest> forests;
  for (const Gam& gam : bags) forests.push_back(to_forest(gam));
  return distil(mean_forest(forests));
}

void check_same_fills(std::span<const float> first, std::span<const float> next) {
  if (std::ranges::equal(first, next)) return;
  fail(ErrorKind::kUsage,
       "models whose missing values count as different numbers have no mean of their kind");
}

Linear mean_body(std::span<const Linear> bags) {
  LinearParts mean = bags.front().parts();
  const auto share = 1 / static_cast<double>(bags.size());
  mean.intercept = 0;
  std::ranges::fill(mean.weights, 0.0);
  for (const Linear& bag : bags) {
    check_same_fills(mean.fills, bag.parts().fills);
    mean.intercept += share * bag.intercept();
    for (std::size_t f = 0; f < mean.weights.size(); ++f) {
      mean.weights[f] += share * bag.weights()[f];
    }
  }
  return Linear(std::move(mean));
}

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

Mlp mean_body(std::span<const Mlp> bags) {
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

template <typename Body>
Body mean_of_kind(std::span<const Model> bags) {
  std::vector<Body> bodies;
  for (const Model& bag : bags) {
    match(
        bag, [&](const Body& body) { bodies.push_back(body); },
        [&](const auto&) {
          fail(ErrorKind::kUsage, "a {} and a {} have no mean", kind_of(bags.front()),
               kind_of(bag));
        });
  }
  return mean_body(std::span<const Body>(bodies));
}

}  // namespace

Model mean_model(std::span<const Model> bags) {
  if (bags.size() == 1) return bags.front();
  return match(bags.front(), [&]<typename Body>(const Body&) {
    return Model{.body = mean_of_kind<Body>(bags), .provenance = {}};
  });
}

}  // namespace glassrank
