#pragma once
// The bins a training run works on, with those a warm start needs.
//
// Boosting moves rows through trees by bin, so every threshold of the model it goes on from must be
// a bin border. Thresholds that are not yet cuts of the data are added to them: a model of any
// origin, or of other data, can be continued. A model trained on the same data with the same bins
// adds nothing. Each added cut is one more bin for the new trees to split at; features that exceed
// 255 bins take two bytes a row and train more slowly.

#include "glassrank/base/context.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

// `warm_start` may be null. Throws Error{kInput} when it has another number of features, or nodes
// where zero counts as missing, which bins cannot express.
BinnedDataset bin_for_training(const Dataset& data, const BinParams& params,
                               const Forest* warm_start, const Context& context);

// Data of which only the bins are known, as they are. Throws as above, and Error{kInput} when a
// threshold of the warm start is none of the cuts: on which side of it values lie is not known.
BinnedDataset bin_for_training(const BinnedDataset& data, const Forest* warm_start);

}  // namespace glassrank
