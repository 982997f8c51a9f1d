#pragma once
// Gain of a grade and discount of a rank: the two factors of DCG, defined once for metrics,
// objectives and explainers.
//
//   DCG@k = sum over ranks r < k of gain(grade at r) * discount(r)
//   gain: 2^grade - 1 (exponential), grade (linear), or a table indexed by integer grades
//   discount(r) = 1 / log2(r + 2), r 0-based  (Jarvelin & Kekalainen 2002; Burges 2005)
//
// A negative grade (TREC's "spam") counts as grade 0, as in trec_eval.

#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/base/elementary.h"

namespace glassrank {

enum class GainKind { kExponential, kLinear, kTable };

inline double exponential_gain(double grade) { return portable_exp2(grade) - 1.0; }
inline double discount(std::size_t rank) {
  return 1.0 / portable_log2(static_cast<double>(rank) + 2.0);
}

// The chosen gain as a value: `table` is used by kTable only, entry g for grade g.
struct Gain {
  GainKind kind = GainKind::kExponential;
  std::vector<double> table;

  // Throws Error{kInput} for a grade the table does not hold, or whose gain is more than a double
  // holds (2^grade - 1 from grade 1024 on).
  double operator()(double grade) const;
};

// discount(0..size-1), computed once for loops over ranks.
std::vector<double> discount_table(std::size_t size);

}  // namespace glassrank
