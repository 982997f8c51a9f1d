#pragma once
// Cross-validation by query: how good the parameters are, and how many trees they want.
//
// The queries are cut into folds as data/split.h says: fold i stops on part i + 1, is measured on
// part i, which it has never seen, and trains on the rest. The spread is the sample standard
// deviation over folds, sqrt(sum (x - mean)^2 / (k - 1)); folds share training data, so it
// understates how much another data set of this size would differ. A cleaner cleans each fold's
// training rows by a base model of those rows: no fold is judged by documents it has seen.
// Cost: k trainings on (k - 2) / k of the rows, each on a copy of its part.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/lambdamart/lambdamart.h"

namespace glassrank {

struct FoldResult {
  std::size_t num_trees = 0;       // kept; in bags the mean of a bag
  std::size_t num_main_trees = 0;  // of them ILMART's of main effects
  std::size_t num_rounds = 0;
  std::vector<double> valid;  // per metric, after the rounds kept
  std::vector<double> test;
};

struct Spread {
  double mean = 0;
  double deviation = 0;  // NaN for fewer than two values
};
Spread spread_of(std::span<const double> values);

struct CrossValidation {
  std::vector<std::string> metrics;  // canonical names
  std::vector<FoldResult> folds;
  std::vector<Spread> valid;  // per metric
  std::vector<Spread> test;
  std::size_t num_trees = 0;       // mean over folds, rounded, at least 1: for with_trees
  std::size_t num_main_trees = 0;  // of them ILMART's of main effects
};

// Throws Error{kUsage} for fewer than 3 folds, Error{kInput} for fewer queries than folds,
// Error{kInterrupted} when stopped.
CrossValidation cross_validate(const Dataset& data, const LambdamartParams& params, int num_folds,
                               const Context& context);

// The parameters that grow so many trees without validation data: in bags, a bag. Bags that stop on
// the queries they leave out (stop_on bag) stop themselves there, too: theirs stay as they are.
LambdamartParams with_trees(LambdamartParams params, std::size_t num_trees,
                            std::size_t num_main_trees);

// The rounded mean of tree counts, at least 1.
std::size_t mean_trees(std::span<const std::size_t> counts);

}  // namespace glassrank
