#pragma once
// What EBM refuses before it trains, and what it says of a stage of a bag that went wrong.

#include <cstddef>
#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/ebm/cyclic_bag.h"
#include "glassrank/methods/ebm/ebm.h"

namespace glassrank {

// `valid` may be null. Throws Error{kInput} and Error{kUsage} as train_ebm says. Collective.
void check_ebm_input(const Dataset& train, const Dataset* valid, const EbmParams& params,
                     const Context& context);

// A warning; empty when all is well. `name` is "bag 2: curves", `num_judges` the rows whose loss
// stops the bag.
//   - scores grew beyond all numbers, and the best tables before stay;
//   - there are such rows, but all weigh nothing or no metric is defined for them: nothing stops.
// Throws Error{kUsage} when nothing finite is left: without a loss the last tables are kept,
// whatever became of them.
std::string stage_warning(const CyclicResult& result, std::string_view name, std::size_t num_judges,
                          double learning_rate);

}  // namespace glassrank
