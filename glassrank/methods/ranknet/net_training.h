#pragma once
// Training of a dense network on the gradients of any ranking objective: RankNet with the pairwise
// one, LambdaRank's network with lambdarank, ListNet's with listnet; without a hidden layer a
// linear model.
//
// An epoch goes through all queries in an order drawn by (seed, epoch), `batch_queries` at a time.
// The gradient of a batch is the mean over its queries of the sum over their documents; l2 * weight
// is added. After each epoch the metrics are taken. With validation data the best epoch is kept,
// and training ends after `patience` epochs without a better one. A request to stop is seen within
// an epoch, which is then taken back: what is kept, and goes on later, is the state after a whole
// epoch. The result depends on data, parameters and seed, not on threads: gradients are summed
// query group by query group in a fixed order. Cost of an epoch: about 4 multiplications a weight
// and document, and one with validation data.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/ranknet/input_blocks.h"
#include "glassrank/methods/ranknet/network.h"
#include "glassrank/methods/training/checkpoints.h"
#include "glassrank/methods/training/feature_scaling.h"
#include "glassrank/methods/training/watch_params.h"
#include "glassrank/objectives/registry.h"

namespace glassrank {

// Adam (Kingma and Ba 2015) with its usual constants, or plain steps against the gradient.
enum class Optimiser { kAdam, kSgd };
template <>
struct EnumNames<Optimiser> {
  static std::span<const std::pair<std::string_view, Optimiser>> table();
};

struct NetTrainingParams {
  ObjectiveParams objective;
  Optimiser optimiser = Optimiser::kAdam;
  double learning_rate = 0.001;
  int epochs = 100;
  int batch_queries = 16;
  double l2 = 0;
  int patience = 20;  // 0: never stops early
  InitialWeights initial = InitialWeights::kScaled;
  WatchParams watch;
};

struct NetResult {
  std::vector<double> parameters;  // of the best epoch
  std::size_t num_epochs = 0;
  std::size_t best_epoch = 0;  // epochs done when they were best
  std::vector<std::string> curve_names;
  std::vector<std::vector<double>> curve;
  double best_metric = 0;  // NaN without validation data
  bool is_interrupted = false;
};

struct NetRun {
  std::string name = {};
  std::size_t log_every = 0;  // epochs to a line of the log; 0: the progress line instead
  Checkpoints* checkpoints = nullptr;
};

// `valid` may be null. Throws Error{kInput}: no rows, no features, other features in the validation
// data, parameters that run away to infinity; Error{kInterrupted} when stopped before the end of
// the first epoch.
NetResult train_network(const Dataset& train, const Dataset* valid, const FeatureScaling& scaling,
                        const NetworkShape& shape, const NetTrainingParams& params,
                        const Context& context, const NetRun& run = {});

// The scores of all rows.
std::vector<double> network_scores(const InputBlocks& inputs, const NetworkShape& shape,
                                   std::span<const double> parameters, const Context& context);

}  // namespace glassrank
