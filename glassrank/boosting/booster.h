#pragma once
// Gradient boosting of trees: the loop every tree method here is made of.
//
//   scores = base;  for each round: gradients of the objective at the scores, a tree on them,
//   scores += learning_rate * leaf values.
//
// Around the loop are seams: Objective (what is minimised), Sampler (which rows), TreeConstraint
// and monotone directions (which trees), RoundObserver (who watches, who stops), TreeBackend (who
// does the work on the rows). The booster itself only goes from round to round: TreeGrower decides
// how a tree grows, and the backend holds histograms and rows.
// The result depends on data, parameters and context.seed only: not on threads, and not on being
// interrupted: boosting that resumes from the trees made so far ends in the same forest.
// Working memory: 16 bytes a row and score set, 20 bytes a training row, num_leaves histograms,
// and in fast mode one more byte per row and feature.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/booster_params.h"
#include "glassrank/boosting/observers.h"
#include "glassrank/boosting/sampling/sampling.h"
#include "glassrank/boosting/times.h"
#include "glassrank/boosting/tree/constraints.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/models/forest/forest.h"
#include "glassrank/objectives/objective.h"

namespace glassrank {

// What a run works on besides its parameters. Pointers are not owned; null means none.
struct BoostingTask {
  BinnedDataset train;
  std::vector<BinnedDataset> valid = {};  // in the training data's bins
  Objective* objective = nullptr;         // required; prepared by the booster
  std::string objective_name = {};
  Sampler* sampler = nullptr;
  const TreeConstraint* constraint = nullptr;
  std::vector<std::int8_t> monotone = {};  // empty, or -1, 0, 1 per feature
  std::vector<RoundMetric> metrics = {};
  // The metric by which samplers are told that a round was better than all before it: index into
  // metrics; none: the first one of a validation set, or else the first.
  std::optional<std::size_t> progress_metric = std::nullopt;
  std::vector<RoundObserver*> observers = {};
  // Go on from this forest, whose thresholds are cuts of the training data. Observers see its
  // rounds from replay_from on: 0 in a resumed run, none in a warm start, the rounds behind the
  // warm start in a resumed warm start. num_trees counts all trees.
  std::optional<Forest> start = std::nullopt;
  std::size_t replay_from = std::numeric_limits<std::size_t>::max();
};

enum class BoostingEnd { kAllRounds, kStoppedByObserver, kNoSplitLeft, kInterrupted };

struct BoostingResult {
  Forest forest;               // as many trees as the observers want kept
  Forest all_trees;            // every tree: what a run that goes on starts from
  std::size_t num_rounds = 0;  // trees grown in all, kept or not
  BoostingEnd end = BoostingEnd::kAllRounds;
};

// Throws Error{kUsage}: parameters out of range, sets with other bins or features, constraints of
// another length. A user's stop (context.stop) ends the run with the trees so far.
BoostingResult boost(const BoostingTask& task, const BoosterParams& params, const Context& context,
                     BoostingTimes* times = nullptr);

}  // namespace glassrank
