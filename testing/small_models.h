#pragma once
// For tests: a model of every kind, small enough to score in the head.

#include "glassrank/models/model.h"

namespace glassrank {

// b <= 1 ? 0.5 : 2.
inline Model small_forest() {
  const Tree tree{.nodes = {{.feature = 1, .threshold = 1, .left = ~0, .right = ~1}},
                  .leaf_values = {0.5, 2},
                  .statistics = {}};
  return {.body = Forest({.trees = {tree}, .num_features = 2, .feature_names = {"a", "b"}}),
          .provenance = {}};
}

// 1 + (x2 <= 1 ? 10 : 20), 40 for a missing x2.
inline Model small_gam() {
  GamEffect curve{
      .axes = {{.feature = 2, .edges = {1}}}, .values = {10, 20, 40}, .errors = {}, .weights = {}};
  return {.body = Gam({.effects = {curve}, .num_features = 3, .intercept = 1}), .provenance = {}};
}

// 1 + 2 a - b; a missing b counts as 3.
inline Model small_linear() {
  return {.body = Linear(
              {.weights = {2, -1}, .fills = {0, 3}, .intercept = 1, .feature_names = {"a", "b"}}),
          .provenance = {}};
}

// max(0, a + b) - max(0, a - 1).
inline Model small_mlp() {
  const MlpLayer hidden{
      .num_inputs = 2, .weights = {1, 1, 1, 0}, .biases = {0, -1}, .activation = Activation::kRelu};
  const MlpLayer output{.num_inputs = 2, .weights = {1, -1}, .biases = {0}};
  return {.body = Mlp({.layers = {hidden, output}, .feature_names = {"a", "b"}}), .provenance = {}};
}

}  // namespace glassrank
