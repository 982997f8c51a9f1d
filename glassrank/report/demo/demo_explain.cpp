#include "glassrank/report/demo/demo_explain.h"

#include "glassrank/explain/explain_queries.h"
#include "glassrank/explain/explanation_text.h"
#include "glassrank/explain/registry.h"
#include "glassrank/models/scorer.h"

namespace glassrank {
namespace {

ExplanationView explain_one(const Subject& subject, const Dataset& data, const char* method,
                            const TargetChoice& choice, const Context& context) {
  const ExplanationSession session(subject, data, *make_explainer(method), {}, context);
  return session.explain(0, choice).front();
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
          .pair = explanation_text(pair, {.features = 8})};
}

}  // namespace glassrank
