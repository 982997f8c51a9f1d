#pragma once
// Splits that machines found, each among features of its own, told to all.

#include <span>
#include <vector>

#include "glassrank/base/communicator.h"
#include "glassrank/boosting/tree/split.h"

namespace glassrank {

// Of every machine, in the order of their ranks. Collective.
std::vector<std::vector<Split>> gather_splits(std::span<const Split> own,
                                              const Communicator& machines);

}  // namespace glassrank
