#pragma once
// Explainers against each other: every explainer explains the rankings of many queries and their
// first documents, and each answer is measured.
//
// Of a ranking: validity, completeness, preservation, deletion, stability, additivity, errors,
// reliability. Of a document, where a truth is known: top-k AUC, Spearman and Euclidean similarity
// of attributions and truth. A sampled explainer is asked with several seeds; its values are means
// over them, its stability is the mean over pairs of them.
//
// A query without an order to explain (one document, or all scores equal) has no values of
// rankings. Explainers name as many features as the largest size asked for; smaller sizes take the
// first of them. Explainers are prepared one after the other, queries run side by side; results do
// not depend on the number of threads. Memory: one number per measure, explainer and case.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/explain/audit/audit_method.h"
#include "glassrank/explain/audit/audit_params.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

// What is known to be true: the importance of every feature for a document of a query.
struct TruthSource {
  std::string name;  // a word: part of the measures' names
  std::function<std::vector<double>(const ExplainedQuery&, std::uint32_t document)> importance;
  bool has_signs = true;  // false: importance is never negative
};

struct AuditTask {
  const Subject& subject;
  const Dataset& data;
  std::span<const AuditMethod> methods;
  std::span<const TruthSource> truths;
  // Of a document: the splits on its way through the trees (path_depth.h). May be empty.
  std::function<double(const ExplainedQuery&, std::uint32_t document)> depth;
};

// One answer, measured.
struct AuditCase {
  std::size_t query = 0;  // its number in the data
  std::uint32_t method = 0;
  std::optional<std::uint32_t> document;                    // absent: the ranking
  std::vector<double> values;                               // by measure; NaN: has none
  double depth = std::numeric_limits<double>::quiet_NaN();  // of a document's path, if known
  std::vector<std::uint32_t> features;  // the first k that were named with the first seed
  bool abstains = false;                // with the first seed
};

struct AuditCases {
  std::vector<Measure> measures;
  std::vector<std::size_t> queries;  // audited, ascending
  std::vector<AuditCase> cases;      // by query, then method, then the ranking and its documents
  std::vector<double> seconds;       // by method: of explaining, one seed, over all queries
  std::size_t num_without_order = 0;
};

// Throws Error{kUsage} for methods or parameters that do not fit the subject, Error{kInterrupted}.
AuditCases measure_cases(const AuditTask& task, const AuditParams& params, const Context& context);

}  // namespace glassrank
