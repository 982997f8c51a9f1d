#pragma once
// The numbers and names of explanations in words: as few digits as tell them apart.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/counted.h"
#include "glassrank/explain/amounts.h"
#include "glassrank/explain/explanation_view.h"

namespace glassrank {

// As the parts of the explanation are written.
Amounts amounts_of(const ExplanationView& view);

// Whether the value is the score of the document, or the difference of the pair's scores. Some
// explainers measure something else: a rank, a place among the first, a surrogate's answer.
bool explains_scores(const ExplanationView& view);

// "the score", "the difference", "what ranking-shap measures".
std::string measure_of(const ExplanationView& view);

// "bm25_title"; "feature 12" for a name that is only a number, or for none: counted from 1 then.
std::string feature_label(const ViewedFeature& feature);
// "7.1", "on", "missing".
std::string value_text(const ViewedFeature& feature, double value);
// Of the two documents of a pair: with equally many decimals where that is short, and as many
// digits as tell unequal values apart.
std::pair<std::string, std::string> value_texts(const ViewedFeature& feature);
// "7.1", "7.1 against 2.0", "7.1 in both", of a ranking "0 to 9.8".
std::string values_text(const ViewedFeature& feature);

// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& items);
// A share as "12 %", "0.3 %", "less than 0.1 %".
std::string percent(double share);

}  // namespace glassrank
