#pragma once
// The mean of several models of one method: bags around any method that has none of its own.
//
// Each of `bags` trainings holds out valid_share of the queries (bags.h) and draws random numbers
// of its own; validation data stops it, or with stop_on bag the queries it holds out. With
// valid_share 0 bags differ in their random numbers alone. The model is the mean: of forests all
// their trees, leaf values divided by the number of bags. One model follows the noise of its
// queries and of its random numbers; the mean of several follows it less.
// Bags share the bins of all rows. They are spread over the threads; the model depends on data,
// parameters and seed alone. Memory: one more byte or two a value for every bag in work.
// Asked to stop, the model is the mean of the bags that have begun.

#include <memory>

#include "glassrank/methods/method.h"
#include "glassrank/methods/training/bags.h"

namespace glassrank {

// `method` with the parameters of bags beside its own. One bag is the method itself.
std::unique_ptr<Method> make_bagged(std::unique_ptr<Method> method, const BagParams& bagging = {});

}  // namespace glassrank
