#pragma once
// What an audit of explainers found: means with standard errors, and which differences are real.
//
// A measure of documents is averaged over the documents of a query first: queries are the units of
// every mean, error and test. Differences between explainers are tested query by query
// (metrics/compare.h), each measure on the queries for which all explainers that have the measure
// at all have a value; p is corrected over the pairs of a measure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/result.h"
#include "glassrank/base/table.h"
#include "glassrank/explain/audit/harness.h"
#include "glassrank/explain/audit/path_depth.h"

namespace glassrank {

struct MeasureMean {
  std::string measure;
  double mean = 0;                // over queries
  double standard_error = 0;      // over queries
  double standard_deviation = 0;  // over single answers: rankings, or documents
  std::size_t num_queries = 0;    // that have a value
  std::size_t num_undefined = 0;  // answers that have none: a constant explanation, no attribution
  bool is_best = false;           // has the best mean
  bool is_clearly_best = false;   // and differs significantly from every other
  std::optional<double> p_best;   // corrected, of the difference to the best; absent for the best

  void visit(ResultVisitor& visitor) const;
};

struct AuditedMethod {
  std::string method;  // its label
  std::string explainer;
  NamedTexts params;
  bool is_sampled = false;
  double seconds_per_query = 0;   // of explaining with one seed, on one thread
  std::size_t num_abstained = 0;  // rankings
  std::vector<MeasureMean> measures;

  void visit(ResultVisitor& visitor) const;
  const MeasureMean* find(std::string_view measure) const;  // null: has no value of it
};

struct MethodDifference {
  std::string measure;
  std::string a;
  std::string b;
  std::size_t num_queries = 0;
  double mean_difference = 0;  // a - b
  double p = 1;
  double corrected_p = 1;
  bool significant = false;

  void visit(ResultVisitor& visitor) const;
};

// How a measure of documents goes with the depth of their paths.
struct MethodDepths {
  std::string method;
  std::string measure;
  DepthAnalysis depths;

  void visit(ResultVisitor& visitor) const;
};

struct AuditResult {
  std::size_t k = 0;
  std::size_t num_queries = 0;
  std::size_t num_without_order = 0;  // of them: one document or equal scores, no ranking explained
  std::size_t num_documents = 0;      // compared with a truth
  std::size_t seeds = 0;
  std::string test;
  std::string correction;
  double alpha = 0;
  std::vector<AuditedMethod> methods;
  std::vector<MethodDifference> differences;
  std::vector<MethodDepths> depths;
  AuditCases cases;  // every value, not part of the JSON

  void visit(ResultVisitor& visitor) const;
};

// Throws what measure_cases() throws.
AuditResult run_audit(const AuditTask& task, const AuditParams& params, const Context& context);
// The second half of it.
AuditResult summarise(const AuditTask& task, const AuditParams& params, AuditCases cases,
                      const Context& context);

// A line per answer: query, method, document (empty: the ranking), features named, depth, measures.
Table audit_cases_table(const AuditResult& result, const Dataset& data);

}  // namespace glassrank
