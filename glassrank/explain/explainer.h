#pragma once
// A way to explain rankings: the seam between explainers and everything that is done with all of
// them (the command line, audits, plots, the report).
//
// An explainer holds its own parameters. prepare() does once per ranker what all queries share
// (plans, background samples, means); explain() then answers any number of targets of one query and
// may be called from several threads.
//
// To add an explainer: 1. its folder or files with its parameters and a class derived from
// Explainer; 2. a line in registry.cpp; 3. its part of docs/methods/explainers.md.
// `glassrank explain --method`, `audit`, `list explainers`, help and reference pages follow from
// the registry.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/param_uses.h"
#include "glassrank/base/params.h"
#include "glassrank/explain/explanation.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

struct ExplainerTraits {
  bool needs_model = false;        // looks into the model: a black box will not do
  bool gives_attributions = true;  // one number per feature; otherwise a set of features
  bool is_sampled = false;         // another seed gives another answer
  // What it answers by itself. explain_targets() makes pairs from two documents and rankings from
  // the first documents where these are false.
  bool explains_documents = true;
  bool explains_pairs = false;
  bool explains_rankings = false;
};

class Explainer {
 public:
  virtual ~Explainer() = default;
  virtual std::string name() const = 0;
  virtual ExplainerTraits traits() const = 0;
  virtual std::unique_ptr<Explainer> clone() const = 0;  // parameters only, not prepared

  // Its parameters, under plain names.
  virtual void visit(ParamVisitor& visitor) = 0;
  // Which of them mean something only beside certain values of others.
  virtual std::vector<ParamUse> uses() const { return {}; }
  // Features to name in Explanation::features.
  virtual std::size_t num_chosen() const = 0;

  // Throws Error{kUsage} for a ranker it cannot explain, with the way out. The subject must outlive
  // the explainer.
  virtual void prepare(const Subject& subject, const Context& context) = 0;
  // One explanation per target, in order; only targets that the traits name. Fills everything but
  // `query`, `explainer` and the audit numbers that follow from the rest (audit/).
  virtual std::vector<Explanation> explain(const ExplainedQuery& query,
                                           std::span<const Target> targets,
                                           const Context& context) const = 0;
};

// Throws Error{kUsage} when the explainer shall name more features than the ranker has. The default
// number may be more: then all of them are named.
void check_num_chosen(const Explainer& explainer, const Subject& subject);

// How a ranking is explained by an explainer of documents: the signed sum of the attributions of
// the first `top_documents` (the paper's SHAP-1 and SHAP-5).
struct AggregationParams {
  int top_documents = 5;

  void visit(ParamVisitor& visitor);
};

// Any target by any explainer: what it does not explain by itself is made from its explanations of
// documents. Throws Error{kUsage} when that cannot be (a set of features for a single document) or
// a target is not in the query.
std::vector<Explanation> explain_targets(const Explainer& explainer, const ExplainedQuery& query,
                                         std::span<const Target> targets,
                                         const AggregationParams& aggregation,
                                         const Context& context);

}  // namespace glassrank
