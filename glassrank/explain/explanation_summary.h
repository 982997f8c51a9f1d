#pragma once
// An explanation in a few sentences of plain English.
//
//   document  "river-12 is at rank 3 of 28. Its score of 2.31 is 1.80 above 0.51, the score with no
//             feature known: bm25_title is 7.1 (+1.30), price is 5.49 (+0.70) and 12 other features
//             (-0.20)."
//   pair      "river-12 is above sea-7 because bm25_title is 7.1 against 2.0: +1.30 of the +1.60
//             difference. Also price is 5.49 against 12.00 (+0.50). On the other side pages is 800
//             against 300 (-0.20)."
//   ranking   "Knowing only bm25_title, price and sales, the ranker keeps tau 0.83 of this order (1
//             is all of it)."
//
// An explanation that abstains says so first. The sentences of trust say in words what the audit
// numbers are; what was not measured is not mentioned.

#include <string>
#include <vector>

#include "glassrank/explain/explanation_view.h"

namespace glassrank {

std::string explanation_summary(const ExplanationView& view);

// Sentences, each about one audit number.
std::vector<std::string> trust_sentences(const ExplanationView& view);

}  // namespace glassrank
