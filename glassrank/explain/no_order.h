#pragma once
// Why a target has no order that could be explained: a query of one document, or equal scores.

#include <string>

#include "glassrank/explain/explanation.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

// In words; empty: it has an order.
std::string why_no_order(const ExplainedQuery& query, const Target& target);

}  // namespace glassrank
