#pragma once
// What every feature adds to the score of every document of the data: the matrix behind
// summaries, and what other programs call SHAP values.
//
// Cost: that of the explainer for all documents; queries side by side, unless the ranker takes
// turns. The same numbers for any number of threads.

#include <cstddef>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

struct DocumentAttributions {
  std::size_t num_features = 0;
  std::vector<double> values;       // rows x features, in the order of the data
  std::vector<double> base_values;  // one per row
  std::vector<double> scores;       // one per row
};

// Throws Error{kUsage} when the explainer has no attributions of documents or cannot explain the
// subject.
DocumentAttributions attribute_documents(const Subject& subject, const Dataset& data,
                                         const Explainer& explainer, const Context& context);

}  // namespace glassrank
