#pragma once
// SOUR and its family: documents that a base model keeps ranking wrongly (Marcuzzi, Lucchese,
// Orlando, ICTIR 2022).
//
// The learner is trained on all rows for `end` rounds, without early stopping; after each round the
// outliers of every query are noted (outliers.h). Dropped are documents of the wanted type that
// were outliers
//   sour       after every round of [start, end];
//   p-sour     after more than a share p of these rounds;
//   last-sour  after the best validation round of a base model that stops early;
//   curr-sour  after every round of [start, stage], but only until the final training has `stage`
//              trees: later stages have ever more documents, the last one all of them.
// Cost: one training of the learner and a few percent of it.

#include <vector>

#include "glassrank/methods/cleaners/cleaner.h"

namespace glassrank {

// The method of `params` is one of the four; they were checked (check_clean).
Cleaning clean_by_sour(const CleanInput& input, const CleanParams& params, const Context& context);

// sour: starts 1 and every tenth of the window's end, all three types; p-sour: several shares and
// types; last-sour: types. A start, type or p that was given is the only one. Without the empty
// cleaning, which the caller adds.
std::vector<Cleaning> sour_grid(const CleanInput& input, const CleanParams& params,
                                const Context& context);

}  // namespace glassrank
