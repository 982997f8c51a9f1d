#pragma once
// Cross-validation by query: how good a method is, and how long it should train.
//
// The queries are cut into folds as data/split.h says: fold i stops on part i + 1, is measured on
// part i, which it has never seen, and trains on the rest. The spread is the sample standard
// deviation over folds, sqrt(sum (x - mean)^2 / (k - 1)); folds share training data, so it
// understates how much another data set of this size would differ. A cleaner cleans each fold's
// training rows by a base model of those rows: no fold is judged by documents it has seen.
// Cost: k trainings on (k - 2) / k of the rows, each on a copy of its part.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/method.h"

namespace glassrank {

struct FoldResult {
  TrainingLength length;
  std::optional<std::size_t> num_rounds;
  NamedValues valid;  // per metric, of the model
  NamedValues test;
  void visit(ResultVisitor& visitor) const;
};

struct Spread {
  double mean = 0;
  double deviation = 0;  // NaN for fewer than two values
  void visit(ResultVisitor& visitor) const;
};
Spread spread_of(std::span<const double> values);

struct MetricSpread {
  std::string metric;
  Spread spread;
};
// Of several metrics, by name.
struct MetricSpreads {
  std::vector<MetricSpread> metrics;
  void visit(ResultVisitor& visitor) const;
};

struct CrossValidation {
  std::vector<FoldResult> folds;
  MetricSpreads valid;
  MetricSpreads test;
  TrainingLength length;  // mean over folds, see mean_length: for Method::fix_length
  void visit(ResultVisitor& visitor) const;
};

// Throws Error{kUsage} for fewer than 3 folds, Error{kInput} for fewer queries than folds,
// Error{kInterrupted} when stopped.
CrossValidation cross_validate(const Dataset& data, const Method& method, int num_folds,
                               const Context& context);

// The rounded means of the parts, at least 1; no part is longer than the first.
TrainingLength mean_length(std::span<const TrainingLength> lengths);

// "120 trees", "120 trees, 80 of them main_trees"; for no length "as long as it stops by itself".
std::string length_text(const TrainingLength& length);

}  // namespace glassrank
