#pragma once
// Score, then evaluate: what a scorer is worth on judged data. The one way to do so for finished
// models, so that ties, empty queries and gains count the same wherever a number is shown.
//
// Cost: one score per row, then metrics/evaluate.h. The result is the same for any number of
// threads.

#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

// Throws what Scorer::score and evaluate() throw.
Evaluation evaluate_model(const Scorer& scorer, const Dataset& data,
                          std::span<const MetricSpec> metrics, const Convention& convention,
                          const Context& context);
// By the default convention.
Evaluation evaluate_model(const Scorer& scorer, const Dataset& data,
                          std::span<const MetricSpec> metrics, const Context& context);

// The value of every query for one metric, NaN where it is skipped.
std::vector<double> query_values(const Scorer& scorer, const Dataset& data,
                                 const MetricSpec& metric, const Context& context,
                                 const Convention& convention = {});

// The mean of every metric over the queries.
std::vector<double> mean_values(const Scorer& scorer, const Dataset& data,
                                std::span<const MetricSpec> metrics, const Context& context,
                                const Convention& convention = {});

}  // namespace glassrank
