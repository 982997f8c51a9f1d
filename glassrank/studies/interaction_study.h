#pragma once
// What pairs are worth: the quality of ILMART against the number of its interactions (Lucchese et
// al., SIGIR 2022, Fig. 2), beside the black box of the same parameters.
//
// Main effects are learnt once and pairs chosen once; a model of k interactions has the first k of
// them. Quality is measured on the test data with the trees early stopping keeps.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/ilmart/ilmart_params.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {

struct InteractionStudyParams {
  // Whole numbers, ascending. Those nobody gave are cut to the pairs the data has.
  Tunable<std::vector<double>> counts =
      Tunable<std::vector<double>>::by_default({0, 1, 2, 3, 5, 10, 20, 30, 50});

  void visit(ParamVisitor& visitor);
};

struct InteractionPoint {
  std::size_t num_pairs = 0;  // allowed
  std::size_t num_used = 0;   // by trees of the model
  std::size_t num_trees = 0;
  double valid = 0;
  double test = 0;
  std::string added = {};  // the last pair: "price x rating"

  void visit(ResultVisitor& visitor) const;
};

struct InteractionStudy {
  std::string metric;
  std::size_t num_main_effects = 0;
  std::vector<InteractionPoint> points;
  double black_box_valid = 0;
  double black_box_test = 0;

  void visit(ResultVisitor& visitor) const;
};

// params.num_interactions is replaced. Counts beyond the pairs found become one
// point of all that were. Throws Error{kUsage} for counts that do not ascend or, where they were
// given, are more than the data has.
InteractionStudy study_interactions(const Dataset& train, const Dataset& valid, const Dataset& test,
                                    IlmartParams params, const InteractionStudyParams& study,
                                    const Context& context);
StudyTables study_tables(const InteractionStudy& study);

}  // namespace glassrank
