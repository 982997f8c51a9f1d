#pragma once
// What stands in for a feature that is not known: rows drawn from the background data, or one
// typical row.
//
// Rows give the mean over what is usual and cost a score each; a typical row costs one score, but
// it may be a document that nobody has seen. Every explainer says which of the two it takes, and
// the explanation says what it was made with.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

enum class Typical { kMean, kMedian, kZero, kQueryMean };
template <>
struct EnumNames<Typical> {
  static std::span<const std::pair<std::string_view, Typical>> table();
};

// Rows of a dense matrix that owns its values.
struct RowMatrix {
  std::vector<float> values;
  std::size_t num_features = 0;

  std::size_t num_rows() const { return num_features == 0 ? 0 : values.size() / num_features; }
  MatrixView<const float> view() const;
};

// `num_rows` different rows drawn from the data, all of them when it has no more; ascending.
RowMatrix sample_background(const Subject& subject, std::size_t num_rows, std::uint64_t seed);

// Whether the rows of the background data do not differ in any feature of the ranker.
bool is_one_row(const Subject& subject);

// One value per feature over all rows of the background data; missing values do not count, and a
// feature without any value is missing. kQueryMean has no row of its own before there is a query:
// the result is empty, and typical_row_of() takes query_mean() then.
std::vector<float> typical_row(const Subject& subject, Typical typical, const Context& context);
std::vector<float> query_mean(const ExplainedQuery& query, std::size_t num_features);
// `row`, or the query's own mean when `row` is empty.
std::vector<float> typical_row_of(const ExplainedQuery& query, std::span<const float> row,
                                  std::size_t num_features);

}  // namespace glassrank
