#include "glassrank/methods/training/graded_pairs.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/error.h"

namespace glassrank {

bool has_graded_pairs(const Dataset& data) {
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    const auto grades = data.grades().subspan(rows.begin, rows.size());
    if (std::ranges::any_of(grades, [&](float grade) { return grade != grades.front(); })) {
      return true;
    }
  }
  return false;
}

void check_graded_pairs(const Dataset& data, std::string_view learner) {
  if (has_graded_pairs(data)) return;
  fail(ErrorKind::kInput,
       "{} learns from pairs of documents with different grades, and no query has one", learner);
}

void check_row_weights(const Dataset& data) {
  if (data.weights().empty()) return;
  if (std::ranges::any_of(data.weights(), [](float weight) { return weight > 0; })) return;
  fail(ErrorKind::kInput, "no row of the training data has any weight");
}

void fail_no_feature_differs() {
  fail(ErrorKind::kInput,
       "no feature of the training data has two different values, so that nothing tells documents "
       "apart");
}

void check_features_differ(const Dataset& data) {
  const auto are_same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (std::size_t r = 1; r < data.num_rows(); ++r) {
    if (!std::ranges::equal(data.row(0), data.row(r), are_same)) return;
  }
  fail_no_feature_differs();
}

void check_features_differ(const BinnedDataset& data) {
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    if (!data.is_constant(f)) return;
  }
  fail_no_feature_differs();
}

}  // namespace glassrank
