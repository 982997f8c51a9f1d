// Explaining and auditing: any ranker, any explainer of the registry.

#include <cstdint>
#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/data/feature_index.h"
#include "glassrank/explain/audit/audit_report.h"
#include "glassrank/explain/audit/audit_result.h"
#include "glassrank/explain/audit/ground_truth.h"
#include "glassrank/explain/counterfactual/counterfactual.h"
#include "glassrank/explain/document_attributions.h"
#include "glassrank/explain/explain_queries.h"
#include "glassrank/explain/explanation_text.h"
#include "glassrank/explain/find_importance.h"
#include "glassrank/explain/global/dependence.h"
#include "glassrank/explain/importance_report.h"
#include "glassrank/explain/registry.h"
#include "glassrank/metrics/convention_text.h"
#include "glassrank/models/display_names.h"
#include "python/bindings/bindings.h"
#include "python/bindings/call.h"
#include "python/bindings/ranker.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

// What to explain and how, under the names of the command line.
struct ExplainSettings {
  std::unique_ptr<Explainer> explainer;
  TargetChoice choice;
  SessionParams session;

  void visit(ParamVisitor& visitor) {
    choice.visit(visitor);
    explainer->visit(visitor);
    session.visit(visitor);
  }
};

ExplainSettings settings_of(const std::string& method, const nb::dict& params) {
  ExplainSettings settings{.explainer = make_explainer(method), .choice = {}, .session = {}};
  set_params(settings, params);
  settings.choice.check();
  settings.session.check();
  return settings;
}

// [(explanation, text)] of every chosen query.
nb::list explain(const Ranker& ranker, const Call& call, const Data& data, const Data* background,
                 const std::string& method, const nb::dict& params) {
  const ExplainSettings settings = settings_of(method, params);
  const std::vector<ExplanationView> views = call.run([&](const Context& context) {
    const RankedRows rows(ranker, data, background, context);
    const ExplanationSession session(rows.subject, rows.data, *settings.explainer, settings.session,
                                     context);
    const std::vector<std::size_t> queries = chosen_queries(settings.choice, rows.data);
    Progress progress(context, "explain", "queries", queries.size());
    std::vector<ExplanationView> made;
    for (const std::size_t q : queries) {
      for (ExplanationView& view : session.explain(q, settings.choice)) {
        made.push_back(std::move(view));
      }
      progress.add(1);
      progress.report();
    }
    return made;
  });
  nb::list list;
  for (const ExplanationView& view : views) {
    list.append(nb::make_tuple(result_of(view), text_of(explanation_text(view, {}))));
  }
  return list;
}

// (values, base values, scores), rows in the order of the data.
nb::tuple attributions(const Ranker& ranker, const Call& call, const Data& data,
                       const Data* background, const std::string& method, const nb::dict& params) {
  const std::unique_ptr<Explainer> explainer = make_explainer(method);
  set_params(*explainer, params);
  DocumentAttributions made = call.run([&](const Context& context) {
    const RankedRows rows(ranker, data, background, context);
    return attribute_documents(rows.subject, rows.data, *explainer, context);
  });
  const std::size_t num_rows = made.base_values.size();
  return nb::make_tuple(matrix_of(std::move(made.values), num_rows, made.num_features),
                        array_of(std::move(made.base_values)), array_of(std::move(made.scores)));
}

struct AuditSettings {
  AuditMethods methods;
  GroundTruthParams truth;
  AuditParams params;

  void visit(ParamVisitor& visitor) {
    truth.visit(visitor);
    params.visit(visitor);
    methods.visit(visitor);
  }
};

// (result, text, every value as a table)
nb::tuple audit(const Ranker& ranker, const Call& call, const Data& data, const Data* background,
                const std::vector<std::string>& methods, const nb::dict& params) {
  AuditSettings settings;
  settings.methods.choose(methods);
  set_params(settings, params);
  std::optional<Table> cases;
  const AuditResult result = call.run([&](const Context& context) {
    const RankedRows rows(ranker, data, background, context);
    const GroundTruth truth = make_ground_truth(rows.subject, settings.truth, context);
    AuditResult made = run_audit({.subject = rows.subject,
                                  .data = rows.data,
                                  .methods = settings.methods.get(),
                                  .truths = truth.sources,
                                  .depth = truth.depth},
                                 settings.params, context);
    cases = audit_cases_table(made, rows.data);
    return made;
  });
  return nb::make_tuple(result_of(result), text_of(audit_text(result)), table_of(*cases));
}

nb::dict importance(const Ranker& ranker, const Call& call, const Data* data,
                    const nb::dict& params, const nb::dict& convention) {
  PermutationParams permutation;
  set_params(permutation, params);
  ConventionChoice choice;
  set_params(choice, convention);
  const MetricSpec metric = parse_metric(permutation.metric);
  refuse_unused(choice, {&metric, 1});
  return result_of(call.run([&](const Context& context) {
    std::optional<Dataset> rows;
    if (data != nullptr) rows = ranker.rows(*data, context);
    return importance_report(find_importance({.scorer = ranker.scorer(),
                                              .model = ranker.model(),
                                              .data = rows ? &*rows : nullptr,
                                              .permutation = permutation,
                                              .convention = choice.resolve()},
                                             context),
                             0);
  }));
}

nb::tuple dependence_on(const Ranker& ranker, const Call& call, const Data& data,
                        const std::vector<std::string>& features, const nb::dict& params) {
  DependenceParams chosen;
  set_params(chosen, params);
  const Dependence result = call.run([&](const Context& context) {
    const RankedRows rows(ranker, data, nullptr, context);
    const std::vector<std::string> names =
        display_names(ranker.scorer(), rows.data.feature_names());
    std::vector<std::uint32_t> numbers;
    for (const std::string& feature : features) {
      numbers.push_back(static_cast<std::uint32_t>(feature_index(names, feature)));
    }
    return dependence(rows.subject, numbers, chosen, context);
  });
  return nb::make_tuple(result_of(result), table_of(dependence_table(result)));
}

nb::dict counterfactual(const Ranker& ranker, const Call& call, const Data& data,
                        const Data* background, std::size_t query, std::uint32_t document,
                        const std::optional<std::uint32_t>& above, std::size_t top,
                        const nb::dict& params) {
  CounterfactualParams chosen;
  set_params(chosen, params);
  return result_of(call.run([&](const Context& context) {
    const RankedRows rows(ranker, data, background, context);
    return find_counterfactual(rows.subject, view_query(rows.subject, rows.data, query, context),
                               document_names(rows.data, query),
                               {.document = document, .above = above, .top = top}, chosen, context);
  }));
}

nb::list explainers() {
  nb::list list;
  for (const ExplainerInfo& info : explainer_table()) {
    nb::dict made;
    made["name"] = text_of(info.name);
    made["doc"] = text_of(info.doc);
    list.append(made);
  }
  return list;
}

}  // namespace

void bind_explain(nb::module_& core) {
  core.def("explainers", &explainers);
  core.def("explain", &explain, nb::arg("ranker"), nb::arg("call"), nb::arg("data"),
           nb::arg("background").none(), nb::arg("method"), nb::arg("params"));
  core.def("attributions", &attributions, nb::arg("ranker"), nb::arg("call"), nb::arg("data"),
           nb::arg("background").none(), nb::arg("method"), nb::arg("params"));
  core.def("audit", &audit, nb::arg("ranker"), nb::arg("call"), nb::arg("data"),
           nb::arg("background").none(), nb::arg("methods"), nb::arg("params"));
  core.def("importance", &importance, nb::arg("ranker"), nb::arg("call"), nb::arg("data").none(),
           nb::arg("params"), nb::arg("convention"));
  core.def("dependence", &dependence_on);
  core.def("counterfactual", &counterfactual, nb::arg("ranker"), nb::arg("call"), nb::arg("data"),
           nb::arg("background").none(), nb::arg("query"), nb::arg("document"),
           nb::arg("above").none(), nb::arg("top"), nb::arg("params"));
}

}  // namespace glassrank::python
