#pragma once
// The summary (attribution_summary.h) of what an explainer says of every document of the data.
//
// Any explainer with attributions of documents will do, for any ranker: tree-shap for models,
// kernel-shap, lirme or exs for what is known by its scores only. Queries are explained side by
// side, each by one thread; a scorer that takes turns gets them one by one.

#include "glassrank/base/context.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/global/attribution_summary.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

// Prepares a copy of the explainer. Throws Error{kUsage} for an explainer that has no attributions
// of documents, and what it and summarise_attributions() throw.
AttributionSummary summarise_explainer(const Subject& subject, const SummaryTask& task,
                                       const Explainer& explainer, const SummaryParams& params,
                                       const Context& context);

}  // namespace glassrank
