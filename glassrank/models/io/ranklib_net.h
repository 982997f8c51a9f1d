#pragma once
// RankLib's neural networks (## RankNet): sigmoid units in every layer, the output's included.
//
//   1 2 3 ...            the features, counted from 1
//   1                    hidden layers
//   10                   units, a line per hidden layer
//   LAYER UNIT w w ...   weights from a unit to all units of the next layer; layer 0 is the input
// The input layer has one unit more than there are features: it is always 1 and is wired to every
// unit of every later layer, layer by layer: the biases.

#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/models/model.h"

namespace glassrank {

// Throws Error{kInput} "line N: ...".
Model read_ranklib_net(std::string_view text);
// Throws Error{kInput} for a network with other activations.
std::string write_ranklib_net(const Model& model, const Context& context);

}  // namespace glassrank
