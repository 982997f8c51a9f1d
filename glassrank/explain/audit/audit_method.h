#pragma once
// The explainers of an audit, by name, with parameters of their own.
//
// "lirme" audits the explainer of that name. "shap-1=kernel-shap" audits kernel-shap under the
// label shap-1: so the same explainer can take part twice, with other parameters. Parameters are
// grouped by label: "shap-1.top_documents". How many features each names is the audit's own k.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/explain/explainer.h"

namespace glassrank {

struct AuditMethod {
  std::string label;
  std::unique_ptr<Explainer> explainer;
  AggregationParams aggregation;  // of documents to a ranking, where the explainer needs it

  // Whether its rankings are made from documents.
  bool aggregates() const { return !explainer->traits().explains_rankings; }
  // The explainer's parameters, and the aggregation's where it is used.
  void visit(ParamVisitor& visitor);
};

// "lirme" or "label=lirme". Throws Error{kUsage} for an unknown explainer or an empty label.
AuditMethod parse_audit_method(const std::string& text);

class AuditMethods {
 public:
  // A method whose text was there before keeps its parameters. Throws Error{kUsage} when two have
  // the same label.
  void choose(const std::vector<std::string>& texts);
  // A group of parameters for each.
  void visit(ParamVisitor& visitor);
  // Of all of them, under these names.
  std::vector<ParamUse> uses() const;
  // The same without what makes rankings of documents.
  void visit_explainers(ParamVisitor& visitor);
  std::span<AuditMethod> get() { return methods_; }
  std::span<const AuditMethod> get() const { return methods_; }

 private:
  std::vector<std::string> texts_;
  std::vector<AuditMethod> methods_;
};

// Throws Error{kUsage} when there is none or two have the same label.
void check_methods(std::span<const AuditMethod> methods);
// Sets the explainer's parameter k, if it has one; to the most it may be where that is less.
void set_num_chosen(Explainer& explainer, std::size_t k);

}  // namespace glassrank
