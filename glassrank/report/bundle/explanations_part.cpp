#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/explain/explain_queries.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/global/attribution_summary.h"
#include "glassrank/explain/registry.h"
#include "glassrank/explain/tree_shap/shap_engine.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/bundle/parts.h"

namespace glassrank {
namespace {

struct Attributions {
  std::vector<std::vector<double>> values;  // [document][feature]
  std::vector<double> base_values;
  std::vector<std::vector<double>> errors;  // as values, or none: not known
};

// `num_features` of the report: a model may have fewer.
Attributions explain_documents(const Explainer& explainer, const Subject& subject,
                               const Dataset& data, std::size_t num_features,
                               const Context& context) {
  Attributions result;
  Progress progress(context, fmt::format("explain with {}", explainer.name()), "documents",
                    data.num_rows());
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    context.check_stop();
    const ExplainedQuery query = view_query(subject, data, q, context);
    std::vector<Target> targets;
    for (std::uint32_t d = 0; d < query.num_documents(); ++d) {
      targets.push_back(Target::of_document(d));
    }
    for (Explanation& each : explain_targets(explainer, query, targets, {}, context)) {
      each.attributions.resize(num_features);
      result.values.push_back(std::move(each.attributions));
      result.base_values.push_back(each.base_value);
      if (each.standard_errors.empty()) continue;
      each.standard_errors.resize(num_features);
      result.errors.push_back(std::move(each.standard_errors));
    }
    progress.add(query.num_documents());
    progress.report();
  }
  return result;
}

// From attributions that are there already: the summary asks for blocks of the data's rows.
void add_amounts(const Attributions& attributions, const Dataset& data,
                 std::span<const std::string> names, std::vector<BundleImportance>& importance,
                 const Context& context) {
  const auto known = [&](const QueryBlock& block, MatrixView<double> values, const Context&) {
    const std::size_t first = data.queries().rows(block.first).begin;
    for (std::size_t row = 0; row < block.rows.num_rows(); ++row) {
      std::ranges::copy(attributions.values[first + row], values.row(row).begin());
    }
  };
  const AttributionSummary summary =
      summarise_attributions({.data = data, .features = names, .groups = {}}, known, {}, context);
  for (std::size_t f = 0; f < importance.size(); ++f) {
    const FeatureSummary& feature = summary.all.features[f];
    importance[f].mean_amount = feature.mean_amount;
    importance[f].mean_amount_within = feature.mean_amount_within;
    if (!std::isnan(feature.direction)) importance[f].direction = feature.direction;
  }
}

// The least that settles the regression of kernel-shap, four times.
std::uint64_t bounded_samples(std::size_t num_features) { return 8 * (num_features + 1); }
constexpr std::size_t kBoundedRows = 20;
constexpr std::size_t kMostValues = 5'000'000'000;  // that a model looks at to explain documents

// Only scores are known of it, and each one costs a pass through the model.
bool is_costly(const Model& model) {
  return match(model, [](const Mlp&) { return true; }, [](const auto&) { return false; });
}

void set_if_there(Explainer& explainer, const std::string& name, std::uint64_t value) {
  ParamSetter setter(name, {std::to_string(value)});
  explainer.visit(setter);
}

std::string doc_of(const std::string& name) {
  for (const ExplainerInfo& info : explainer_table()) {
    if (info.name == name) return std::string(info.doc);
  }
  return {};
}

void add_sets(const Subject& subject, const BundleSetting& setting,
              std::span<const std::string> explainers, BundleModel& bundle,
              const Context& context) {
  const Dataset& data = setting.shown.data;
  const std::size_t k = num_named(setting);
  const std::size_t num_queries =
      std::min(data.num_queries(), static_cast<std::size_t>(setting.params.list_queries));
  for (const std::string& name : explainers) {
    const ExplanationSession session(subject, data, *report_explainer(name, k, *subject.model), {},
                                     context);
    Progress progress(context, fmt::format("lists with {}", name), "queries", num_queries);
    for (std::size_t q = 0; q < num_queries; ++q) {
      context.check_stop();
      const ExplanationView view = session.explain(q, TargetChoice{}).front();
      BundleSet set{.query = q,
                    .explainer = name,
                    .features = {},
                    .audit = view.audit,
                    .summary = view.summary};
      for (const ViewedFeature& feature : view.features) {
        if (feature.is_chosen) set.features.push_back(static_cast<std::uint32_t>(feature.index));
      }
      bundle.sets.push_back(std::move(set));
      progress.add(1);
      progress.report();
    }
  }
}

// The row's category by the text that the data has for it.
void name_unknown(const BundleSetting& setting, std::size_t row, const CounterfactualParams& params,
                  Counterfactual& answer) {
  for (FeatureChange& change : answer.changes) {
    if (!change.from_category) continue;
    for (const UnknownCategory& unknown : setting.task.unknown) {
      if (unknown.row == row && setting.names[unknown.feature] == change.feature) {
        change.from_category = unknown.text;
      }
    }
  }
  answer.text = counterfactual_text(answer, params);
}

// What would put the documents at ranks 2, 3, ... first.
void add_counterfactuals(const Subject& subject, const BundleSetting& setting, BundleModel& bundle,
                         const Context& context) {
  const Dataset& data = setting.shown.data;
  const std::size_t num_queries =
      std::min(data.num_queries(), static_cast<std::size_t>(setting.params.counterfactual_queries));
  const CounterfactualParams params{.max_features = 2, .max_steps = 20'000};
  Progress progress(context, "counterfactuals", "queries", num_queries);
  for (std::size_t q = 0; q < num_queries; ++q) {
    context.check_stop();
    const ExplainedQuery query = view_query(subject, data, q, context);
    const std::vector<std::string> names = document_names(data, q);
    const std::size_t last = std::min(query.num_documents(),
                                      static_cast<std::size_t>(setting.params.counterfactuals) + 1);
    for (std::size_t rank = 1; rank < last; ++rank) {
      const std::uint32_t document = query.ranking[rank];
      Counterfactual answer = find_counterfactual(
          subject, query, names, {.document = document, .above = {}, .top = 1}, params, context);
      const RowRange rows = setting.task.data.queries().rows(setting.shown.queries[q]);
      name_unknown(setting, rows.begin + document, params, answer);
      bundle.counterfactuals.push_back({.query = q,
                                        .document = data.queries().rows(q).begin + document,
                                        .answer = std::move(answer)});
    }
    progress.add(1);
    progress.report();
  }
}

}  // namespace

std::vector<std::string> explainers_for(const ReportParams& params, const Model& model) {
  if (!params.explainers.empty()) return params.explainers;
  return {has_shap_engine(model) ? "tree-shap" : "kernel-shap"};
}

std::unique_ptr<Explainer> report_explainer(const std::string& name, std::size_t k,
                                            const Model& model) {
  std::unique_ptr<Explainer> explainer = make_explainer(name);
  set_num_chosen(*explainer, k);
  if (name == "kernel-shap" && is_costly(model)) {
    set_if_there(*explainer, "samples", bounded_samples(num_features_of(model)));
    set_if_there(*explainer, "background_rows", kBoundedRows);
  }
  return explainer;
}

std::size_t most_explained(const Model& model, std::size_t asked) {
  if (!is_costly(model)) return asked;
  const std::size_t num_features = num_features_of(model);
  const std::size_t of_document =
      bounded_samples(num_features) * kBoundedRows * std::max<std::size_t>(1, num_features);
  return std::min(asked, std::max<std::size_t>(100, kMostValues / of_document));
}

void add_explanations(const BundleSetting& setting, std::size_t number, BundleModel& bundle,
                      const Context& context) {
  const Model& model = setting.task.models[number].model;
  const auto scorer = make_scorer(model);
  const Subject subject{.scorer = *scorer, .model = &model, .background = setting.background};
  std::vector<std::string> explainers = explainers_for(setting.params, model);
  if (number > 0) explainers.resize(1);
  const std::size_t k = num_named(setting);
  for (const std::string& name : explainers) {
    const std::unique_ptr<Explainer> explainer = report_explainer(name, k, model);
    const ExplainerTraits traits = explainer->traits();
    if (!traits.gives_attributions || !traits.explains_documents) {
      fail(ErrorKind::kUsage,
           "{} gives no amounts for single documents; a report shows those of explainers such as "
           "tree-shap, kernel-shap or lirme",
           name);
    }
    explainer->prepare(subject, context);
    const Attributions attributions =
        explain_documents(*explainer, subject, setting.shown.data, setting.names.size(), context);
    if (bundle.attributions.empty()) {
      add_amounts(attributions, setting.shown.data, setting.names, bundle.importance, context);
    }
    bundle.attributions.push_back(
        pack_attributions(attributions.values, attributions.base_values, setting.names.size()));
    if (attributions.errors.size() == attributions.values.size()) {
      pack_errors(attributions.errors, setting.names.size(), bundle.attributions.back());
    }
    bundle.attributions.back().explainer = name;
    bundle.attributions.back().doc = doc_of(name);
    bundle.attributions.back().is_sampled = traits.is_sampled;
  }
  if (number > 0) return;
  const std::vector<std::string> lists = {setting.params.list_explainer, explainers.front()};
  add_sets(subject, setting, lists, bundle, context);
  add_counterfactuals(subject, setting, bundle, context);
}

}  // namespace glassrank
