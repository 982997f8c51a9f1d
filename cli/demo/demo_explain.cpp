#include "cli/demo/demo_explain.h"

#include "glassrank/explain/audit/audit_report.h"
#include "glassrank/explain/audit/audit_result.h"
#include "glassrank/explain/audit/ground_truth.h"
#include "glassrank/explain/explain_queries.h"
#include "glassrank/explain/explanation_text.h"
#include "glassrank/explain/registry.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/explanation_plots/explanation_picture.h"

namespace glassrank::cli {
namespace {

ExplanationView explain_one(const Subject& subject, const Dataset& data, const char* method,
                            const TargetChoice& choice, const Context& context) {
  const ExplanationSession session(subject, data, *make_explainer(method), {}, context);
  return session.explain(0, choice);
}

std::string audit_three(const Subject& subject, const Dataset& data, const Context& context) {
  AuditMethods methods;
  methods.choose({"tree-shap", "lirme", kDemoSetExplainer});
  const GroundTruth truth = make_ground_truth(subject, {}, context);
  AuditParams params;
  params.queries = kDemoAuditQueries;
  return audit_text(run_audit({.subject = subject,
                               .data = data,
                               .methods = methods.get(),
                               .truths = truth.sources,
                               .depth = truth.depth},
                              params, context));
}

}  // namespace

DemoExplanations explain_bookshop(const Bookshop& shop, const Model& model,
                                  const Context& context) {
  const auto scorer = make_scorer(model);
  const Subject subject{.scorer = *scorer, .model = &model, .background = shop.train};
  const ExplanationView ranking =
      explain_one(subject, shop.test, kDemoSetExplainer, TargetChoice{}, context);
  const ExplanationView pair = explain_one(subject, shop.test, "tree-shap",
                                           TargetChoice{.pair = {"rank:1", "rank:2"}}, context);
  return {.query = shop.test.queries().id(0),
          .ranking = explanation_text(ranking, {.features = 5, .documents = 5}),
          .pair = explanation_text(pair, {.features = 8}),
          .pair_picture = explanation_picture(pair, {}),
          .audit = audit_three(subject, shop.test, context)};
}

}  // namespace glassrank::cli
