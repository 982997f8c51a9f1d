#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/explain/explain_queries.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/global/attribution_summary.h"
#include "glassrank/explain/registry.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/bundle/parts.h"

namespace glassrank {
namespace {

struct Attributions {
  std::vector<std::vector<double>> values;  // [document][feature]
  std::vector<double> base_values;
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

std::unique_ptr<Explainer> explainer_with_k(const std::string& name, const BundleSetting& setting) {
  std::unique_ptr<Explainer> explainer = make_explainer(name);
  set_num_chosen(*explainer,
                 std::min(static_cast<std::size_t>(setting.params.k), setting.names.size()));
  return explainer;
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
  const std::size_t num_queries =
      std::min(data.num_queries(), static_cast<std::size_t>(setting.params.list_queries));
  for (const std::string& name : explainers) {
    const ExplanationSession session(subject, data, *explainer_with_k(name, setting), {}, context);
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

// What would put the documents at ranks 2, 3, ... first.
void add_counterfactuals(const Subject& subject, const BundleSetting& setting, BundleModel& bundle,
                         const Context& context) {
  const Dataset& data = setting.shown.data;
  const std::size_t num_queries =
      std::min(data.num_queries(), static_cast<std::size_t>(setting.params.counterfactual_queries));
  Progress progress(context, "counterfactuals", "queries", num_queries);
  for (std::size_t q = 0; q < num_queries; ++q) {
    context.check_stop();
    const ExplainedQuery query = view_query(subject, data, q, context);
    const std::vector<std::string> names = document_names(data, q);
    const std::size_t last = std::min(query.num_documents(),
                                      static_cast<std::size_t>(setting.params.counterfactuals) + 1);
    for (std::size_t rank = 1; rank < last; ++rank) {
      const std::uint32_t document = query.ranking[rank];
      bundle.counterfactuals.push_back(
          {.query = q,
           .document = data.queries().rows(q).begin + document,
           .answer = find_counterfactual(subject, query, names,
                                         {.document = document, .above = {}, .top = 1},
                                         {.max_features = 2, .max_steps = 20'000}, context)});
    }
    progress.add(1);
    progress.report();
  }
}

}  // namespace

std::vector<std::string> explainers_for(const ReportParams& params, const Model& model) {
  if (!params.explainers.empty()) return params.explainers;
  return {match(
      model, [](const Mlp&) { return std::string("kernel-shap"); },
      [](const auto&) { return std::string("tree-shap"); })};
}

void add_explanations(const BundleSetting& setting, std::size_t number, BundleModel& bundle,
                      const Context& context) {
  const Model& model = setting.task.models[number].model;
  const auto scorer = make_scorer(model);
  const Subject subject{.scorer = *scorer, .model = &model, .background = setting.background};
  std::vector<std::string> explainers = explainers_for(setting.params, model);
  if (number > 0) explainers.resize(1);
  for (const std::string& name : explainers) {
    const std::unique_ptr<Explainer> explainer = explainer_with_k(name, setting);
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
