#pragma once
// How much wrong grades hurt, and how much of it cleaning mends (Marcuzzi, Lucchese, Orlando, ICTIR
// 2022, section 5.5 and Fig. 8).
//
// For every rate and seed, grades of the training and validation data are flipped (data/
// grade_noise.h: by default the lowest to the highest), the learner is trained with and without
// cleaning, and both models are measured on the test data, whose grades stay right. What was
// flipped is known, so the dropped documents are checked against it:
//   precision = dropped documents that had been flipped / dropped documents
//   recall    = dropped documents that had been flipped / flipped documents
//   chance    = flipped documents / documents a cleaner of this type may drop: the precision of
//               drawing blindly
// p compares the values of each query, averaged over seeds, with those of the plain learner
// (Fisher's randomisation test).
// Cost: per rate and seed one training, and two for every cleaning.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/grade_noise.h"
#include "glassrank/methods/cleaners/clean_params.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/metrics/paired.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {

struct NoiseStudyParams {
  std::vector<double> rates = {0.05, 0.075, 0.1};
  NoiseMode mode = NoiseMode::kLowestToHighest;
  int seeds = 5;
  // First rounds of SOUR's window to try; empty: the one of the training parameters.
  std::vector<double> starts = {};
  std::uint64_t permutations = 100'000;

  void visit(ParamVisitor& visitor);
};

// One model of one rate and seed.
struct NoiseRun {
  double rate = 0;
  int seed = 0;
  std::string system;          // "plain", or the cleaning
  std::vector<double> values;  // of the metric, per test query
  double mean = 0;
  std::size_t num_trees = 0;
  std::size_t num_flipped = 0;   // in the training data
  std::size_t num_eligible = 0;  // documents a cleaner of this type may drop
  std::size_t num_dropped = 0;
  std::size_t num_found = 0;  // dropped and flipped

  void visit(ResultVisitor& visitor) const;
};

// One system at one rate, over seeds.
struct NoiseSummary {
  double rate = 0;
  std::string system;
  double mean = 0;
  double deviation = 0;  // over seeds; NaN for one
  double precision = 0;  // over all seeds together; NaN when nothing was dropped
  double recall = 0;
  double chance = 0;
  double dropped = 0;  // share of the training data
  PValues p = {};      // better than the plain learner

  void visit(ResultVisitor& visitor) const;
};

struct NoiseStudy {
  std::string metric;
  std::size_t num_queries = 0;
  std::vector<NoiseRun> runs;           // by rate, seed, system
  std::vector<NoiseSummary> summaries;  // by rate, system

  void visit(ResultVisitor& visitor) const;
};

struct NoiseData {
  const Dataset& train;
  const Dataset& valid;
  const Dataset& test;
};

// `clean` is the cleaning to try. Throws Error{kUsage} without one, and whatever training
// throws.
NoiseStudy study_noise(const NoiseData& data, const LambdamartParams& params,
                       const CleanParams& clean, const NoiseStudyParams& study,
                       const Context& context);

StudyTables study_tables(const NoiseStudy& study);

// Means of runs of one rate and system, and the test against the plain ones.
std::vector<NoiseSummary> summarise_noise(const std::vector<NoiseRun>& runs, std::size_t num_rows,
                                          std::uint64_t permutations, const Context& context);

}  // namespace glassrank
