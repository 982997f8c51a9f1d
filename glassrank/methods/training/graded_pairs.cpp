#include "glassrank/methods/training/graded_pairs.h"

#include <algorithm>

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

}  // namespace glassrank
