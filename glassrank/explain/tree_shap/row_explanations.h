#pragma once
// Explanations of documents from something that gives every row one value per feature: what
// tree-shap and decision-path have in common.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/function_ref.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/explanation.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

// Fills one row of values per row.
using ValuesOfRows =
    FunctionRef<void(MatrixView<const float> rows, MatrixView<double> values, const Context&)>;

struct RowGame {
  std::size_t num_features = 0;
  double base_value = 0;
  std::size_t num_chosen = 5;  // features to name
};

// One per document, all rows in one call.
std::vector<Explanation> explain_rows(const ExplainedQuery& query,
                                      std::span<const std::uint32_t> documents, const RowGame& game,
                                      ValuesOfRows values, const Context& context);

}  // namespace glassrank
