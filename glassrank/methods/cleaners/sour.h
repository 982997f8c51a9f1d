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

#include "glassrank/methods/cleaners/cleaner.h"

namespace glassrank {

const Cleaner& sour_cleaner();
const Cleaner& p_sour_cleaner();
const Cleaner& last_sour_cleaner();
const Cleaner& curr_sour_cleaner();

}  // namespace glassrank
