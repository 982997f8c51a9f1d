#pragma once
// What sampling saves and what it costs: rows and time per tree, and quality, of the same learner
// on all documents and on samples (Lucchese, Marcuzzi, Orlando, SAC 2023, Tables 2 and 3).
//
// Time is wall time of growing trees, without metrics; it depends on the machine and its load, all
// else does not. Quality is measured on the test data with the trees early stopping keeps.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/lambdamart/sample_params.h"
#include "glassrank/metrics/paired.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {

struct SamplingStudyParams {
  std::vector<std::string> systems = {"full", "selective", "high-low"};  // in this order
  // Defaults: the best of the paper on MSLR-WEB30K.
  double selective_top = 0.4;
  double high_low_top = 0.2;
  double high_low_bottom = 0.4;
  std::uint64_t permutations = 100'000;

  void visit(ParamVisitor& visitor);
};

struct SampledTraining {
  std::string system;  // "full", "selective", "high-low"
  std::size_t num_rounds = 0;
  std::size_t num_trees = 0;  // kept
  double share = 0;           // of the rows, in the mean over rounds
  double seconds_per_tree = 0;
  double seconds = 0;                // all rounds
  std::vector<double> round_shares;  // per round
  std::vector<double> round_seconds;
  std::vector<double> curve;  // of the metric on the validation data
  double mean = 0;            // of the metric on the test data; NaN without
  PValues p = {};             // better than the first system

  void visit(ResultVisitor& visitor) const;
};

struct SamplingStudy {
  std::string metric;
  std::vector<SampledTraining> systems;

  void visit(ResultVisitor& visitor) const;
};

// `test` may be null. Of `params.sample` the systems take what is not their own: how negatives are
// told, counted and rounded, the least number of them and the period; selective what it adds at
// random and how it adapts. p compares with the first system. Throws
// Error{kUsage} for systems there are not.
SamplingStudy study_sampling(const Dataset& train, const Dataset& valid, const Dataset* test,
                             const LambdamartParams& params, const SamplingStudyParams& study,
                             const Context& context);
StudyTables study_tables(const SamplingStudy& study);

}  // namespace glassrank
