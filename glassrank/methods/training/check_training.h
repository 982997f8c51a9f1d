#pragma once
// Everything about a training that does not go together, said before any work, for every method:
// what a method can take part in follows from its traits.

#include <string>
#include <string_view>
#include <vector>

#include "glassrank/methods/method.h"
#include "glassrank/methods/training/train_run.h"

namespace glassrank {

// What is to be done besides one training.
struct TrainPlan {
  int num_folds = 0;
  SearchParams search = {};
  bool resumes = false;

  bool has_search() const { return !search.ranges.empty(); }
};

// Throws Error{kUsage} with the first thing that is wrong.
void check_training(const Method& method, const TrainFiles& files, const TrainPlan& plan);

// The same for parameters that only some training data look at.
void check_given(const TrainFiles& files, const Schema& train);

// Which parameters of trees, objectives and watched metrics mean something only beside others.
std::vector<ParamUse> boosting_uses();

// The value of a parameter as text.
std::string param_value(const Method& method, std::string_view name);

}  // namespace glassrank
