#pragma once
// RankNet (Burges et al. 2005): a neural network trained on pairs of documents.
//
//   loss of a query = sum over pairs of log(1 + exp(-(s_high - s_low)))        (objective pairwise)
// With objective lambdarank it is LambdaRank's network (Burges et al. 2006), with listnet
// ListNet's. Features are put on a common scale first, and the scale becomes part of the first
// layer (feature_scaling.h); missing values count as the feature's mean.
//
// preset = ranklib sets what RankLib does by default: 10 sigmoid units and a sigmoid output, raw
// features, steps of 5e-5 against the gradient query by query, 100 epochs, weights from [-0.1,
// 0.1], all pairs; what it sets cannot be given beside it. RankLib moves its weights document by
// document; we move them query by query.

#include "glassrank/base/params.h"
#include "glassrank/methods/ranknet/net_training.h"

namespace glassrank {

enum class NetPreset { kNone, kRanklib };
template <>
struct EnumNames<NetPreset> {
  static std::span<const std::pair<std::string_view, NetPreset>> table();
};

struct RanknetParams {
  NetPreset preset = NetPreset::kNone;
  std::vector<double> hidden = {32};  // units of the hidden layers
  Activation activation = Activation::kRelu;
  Normalise normalise = Normalise::kStandardise;
  NetTrainingParams training;

  RanknetParams();
  void visit(ParamVisitor& visitor);
  // With what the preset says in place of the rest; the same if they are so already.
  RanknetParams resolved() const;
};

}  // namespace glassrank
