#include "glassrank/report/bundle/make_bundle.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/version.h"
#include "glassrank/data/stats.h"
#include "glassrank/explain/audit/ground_truth.h"
#include "glassrank/explain/explanation_view.h"
#include "glassrank/explain/tree_shap/cover.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/model_categories.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/bundle/parts.h"

namespace glassrank {
namespace {

constexpr std::size_t kListedConflicts = 50;
constexpr int kAuditSizes[] = {1, 2, 3, 4, 5, 7, 10};

void check(const ReportTask& task, const ReportParams& params) {
  if (task.models.empty()) fail(ErrorKind::kUsage, "a report needs a model");
  if (task.data.num_rows() == 0)
    fail(ErrorKind::kInput, "a report needs documents; there are none");
  if (params.metrics.empty()) fail(ErrorKind::kUsage, "a report needs a metric");
  parse_metrics(params.metrics);
  std::set<std::string> names;
  for (const ReportModel& model : task.models) {
    if (!names.insert(model.name).second) {
      fail(ErrorKind::kUsage, "two models have the name {}; give one of them another", model.name);
    }
    const std::size_t num_features = num_features_of(model.model);
    if (num_features > task.data.num_features()) {
      fail(ErrorKind::kUsage, "model {} has {} features, the data {}", model.name, num_features,
           task.data.num_features());
    }
  }
}

std::vector<std::string> feature_names(const ReportTask& task) {
  std::size_t num_features = 0;
  const Model* widest = nullptr;
  for (const ReportModel& model : task.models) {
    if (widest != nullptr && num_features_of(model.model) <= num_features) continue;
    widest = &model.model;
    num_features = num_features_of(model.model);
  }
  return display_names(num_features, feature_names_of(*widest), task.data.feature_names());
}

// Whether all documents of every query have the same value.
bool is_of_query(const Dataset& data, std::size_t feature) {
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    const float first = data.row(rows.begin)[feature];
    for (std::size_t row = rows.begin + 1; row < rows.end; ++row) {
      const float value = data.row(row)[feature];
      if (value != first && !(std::isnan(value) && std::isnan(first))) return false;
    }
  }
  return true;
}

// Of each feature, whether its values are categories: to some model, or in the data.
std::vector<bool> category_flags(const ReportTask& task, std::size_t num_features) {
  std::vector<bool> is_category(num_features);
  for (std::size_t f = 0; f < num_features; ++f) is_category[f] = task.data.schema().is_category(f);
  for (const ReportModel& model : task.models) {
    const std::vector<bool> own = category_features_of(model.model);
    for (std::size_t f = 0; f < own.size(); ++f) is_category[f] = is_category[f] || own[f];
  }
  return is_category;
}

// Names as the first model that knows them has them; the rows have its codes.
void add_categories(const BundleSetting& setting, std::vector<BundleFeature>& features) {
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (!setting.is_category[f]) continue;
    features[f].is_category = true;
    features[f].is_switch = false;
  }
  for (const ReportModel& model : setting.task.models) {
    const CategoryNames names = category_names_of(model.model);
    for (std::size_t f = 0; f < features.size(); ++f) {
      const auto own = names_of(names, f);
      if (features[f].categories.empty()) features[f].categories.assign(own.begin(), own.end());
    }
  }
}

// Of the documents that the bundle holds.
void add_unknown(const BundleSetting& setting, std::vector<BundleFeature>& features) {
  const QueryGroups& queries = setting.task.data.queries();
  std::vector<std::optional<std::uint32_t>> document_of_row(setting.task.data.num_rows());
  std::uint32_t document = 0;
  for (const std::size_t query : setting.shown.queries) {
    const RowRange rows = queries.rows(query);
    for (std::size_t row = rows.begin; row < rows.end; ++row) document_of_row[row] = document++;
  }
  for (const UnknownCategory& unknown : setting.task.unknown) {
    const auto shown = document_of_row[unknown.row];
    if (shown) features[unknown.feature].unknown.push_back({*shown, unknown.text});
  }
}

std::vector<BundleFeature> bundle_features(const BundleSetting& setting, const DataStats& data,
                                           const DataStats* train) {
  // No other value than 0 and 1.
  const auto is_off_or_on = [](const FeatureStats& stats) {
    const auto is_one_of_them = [](double value) { return value == 0 || value == 1; };
    return stats.distinct <= 2 && !stats.distinct_capped && is_one_of_them(stats.min) &&
           is_one_of_them(stats.max);
  };
  std::vector<BundleFeature> features;
  for (std::size_t f = 0; f < setting.names.size(); ++f) {
    const FeatureStats& stats = data.features[f];
    BundleFeature feature{.name = setting.names[f],
                          .is_switch = is_off_or_on(stats),
                          .is_of_query = is_of_query(setting.shown.data, f),
                          .low = stats.min,
                          .high = stats.max,
                          .num_missing = stats.missing,
                          .num_distinct = stats.distinct};
    if (train != nullptr && f < train->features.size()) {
      const FeatureStats& trained = train->features[f];
      feature.low = std::min(feature.low, trained.min);
      feature.high = std::max(feature.high, trained.max);
      feature.is_switch = feature.is_switch && is_off_or_on(trained);
    }
    feature.is_switch = feature.is_switch && feature.low == 0 && feature.high == 1;
    features.push_back(std::move(feature));
  }
  add_categories(setting, features);
  add_unknown(setting, features);
  return features;
}

BundleData bundle_data(const std::string& file, DataStats stats, const Dataset& data) {
  BundleData bundle{.file = file, .stats = stats_report(std::move(stats), data, true)};
  if (bundle.stats.grade_conflicts.size() > kListedConflicts) {
    bundle.stats.grade_conflicts.resize(kListedConflicts);
  }
  return bundle;
}

// Whether the rows that say what is usual are all the same.
bool is_one_row(const ReportBundle& bundle) {
  const DataStats& stats = (bundle.train ? *bundle.train : *bundle.data).stats.stats;
  return stats.constant_features.size() == stats.features.size();
}

// These go by the spread of features.
void refuse_one_row(const ReportBundle& bundle, const ReportParams& params) {
  if (!is_one_row(bundle)) return;
  for (const std::vector<std::string>& names : {params.explainers, params.audit_methods}) {
    for (const std::string& name : names) {
      if (name != "lirme" && name != "exs") continue;
      fail(ErrorKind::kUsage,
           "{} goes by the spread of features, and the documents that say what is usual are all "
           "alike; take the training data (--train)",
           name);
    }
  }
}

// RankLib's and QuickRank's trees do not know how many rows reached their leaves, nor do tables of
// other programs those of their cells.
Model with_known_rows(const Model& model, const Dataset& rows, const Context& context) {
  return match(
      model,
      [&](const Gam& gam) -> Model {
        const bool knows_all = std::ranges::all_of(
            gam.effects(), [](const GamEffect& effect) { return !effect.weights.empty(); });
        if (knows_all) return model;
        return {.body = with_weights(gam, rows, context), .provenance = model.provenance};
      },
      [&](const auto&) -> Model { return with_known_cover(model, rows, context); });
}

// An explainer may name fewer than it is asked for.
NamedValues mean_named(const AuditResult& audit) {
  NamedValues named;
  for (std::uint32_t m = 0; m < audit.methods.size(); ++m) {
    double sum = 0;
    std::size_t count = 0;
    for (const AuditCase& each : audit.cases.cases) {
      if (each.method != m || each.document) continue;
      sum += static_cast<double>(each.features.size());
      ++count;
    }
    if (count > 0) named.emplace_back(audit.methods[m].method, sum / static_cast<double>(count));
  }
  return named;
}

void add_audit(const BundleSetting& setting, ReportBundle& bundle, const Context& context) {
  const Model& model = setting.task.models.front().model;
  const auto scorer = make_scorer(model);
  const Subject subject{.scorer = *scorer, .model = &model, .background = setting.background};
  std::vector<std::string> names = setting.params.audit_methods;
  if (names.empty()) {
    names = explainers_for(setting.params, model);
    for (const char* other : {"lirme", setting.params.list_explainer.c_str(), "random"}) {
      if (other == std::string_view("lirme") && is_one_row(bundle)) continue;
      if (std::ranges::find(names, other) == names.end()) names.emplace_back(other);
    }
  }
  const std::size_t k = num_named(setting);
  AuditMethods methods;
  methods.choose(names);
  for (AuditMethod& method : methods.get()) {
    method.explainer = report_explainer(method.explainer->name(), k, model);
  }
  AuditParams params;
  params.k = static_cast<int>(k);
  params.queries = setting.params.audit_queries;
  for (const int size : kAuditSizes) {
    if (static_cast<std::size_t>(size) <= setting.names.size()) params.sizes.push_back(size);
  }
  const GroundTruth truth = make_ground_truth(subject, {}, context);
  bundle.audit = run_audit({.subject = subject,
                            .data = setting.shown.data,
                            .methods = methods.get(),
                            .truths = truth.sources,
                            .depth = truth.depth},
                           params, context);
  bundle.named = mean_named(*bundle.audit);
  for (const Measure& measure : bundle.audit->cases.measures) {
    bundle.measures.emplace_back(measure.name, measure.doc);
  }
}

}  // namespace

std::size_t num_named(std::size_t k, std::size_t num_features) {
  return std::clamp<std::size_t>(num_features / 2, 1, k);
}

std::size_t num_named(const BundleSetting& setting) {
  return num_named(static_cast<std::size_t>(setting.params.k), setting.names.size());
}

void ReportParams::visit(ParamVisitor& visitor) {
  visitor.field("title", title, "title of the page");
  visitor.field("metrics", metrics, "metrics to compare models by, the most important first",
                {.value_name = "METRIC"});
  visitor.field("baselines", baselines, "number of single features to compare the models with",
                kNotNegative);
  visitor.field("documents", documents,
                "maximum number of documents that the page shows one by one",
                Range{.low = 1, .high = 1e9});
  visitor.field(
      "explainers", explainers,
      "explainers of single documents; by default tree-shap, or kernel-shap for a neural network",
      {.value_name = "NAME"});
  visitor.field("list_explainer", list_explainer, "explainer of whole rankings",
                {.value_name = "NAME"});
  visitor.field("k", k, "number of features that explanations name, half of all features at most",
                Range{.low = 1, .high = 1e9});
  visitor.field("list_queries", list_queries, "number of rankings to explain", kNotNegative);
  visitor.field("counterfactual_queries", counterfactual_queries,
                "queries for which the page shows what would put a document first", kNotNegative);
  visitor.field("counterfactuals", counterfactuals,
                "number of documents of each such query for which it is shown", kNotNegative);
  visitor.field("audit_queries", audit_queries, "number of rankings in the audit; 0 for no audit",
                kNotNegative);
  visitor.field("audit_methods", audit_methods,
                "explainers to audit; by default those of --explainers and --list-explainer, lirme "
                "and random",
                {.value_name = "NAME"});
  visitor.field("dependence_features", dependence_features,
                "number of features with a dependence curve, for models that are not additive",
                kNotNegative);
  visitor.field("outliers", outliers, "number of documents to list as probably judged wrongly",
                kNotNegative);
  visitor.field("cutoff", cutoff,
                "number of ranks that count as the top when looking for wrongly judged documents",
                Range{.low = 1, .high = 1e9});
  visitor.field("repeats", repeats, "number of repeats of permutation importance",
                Range{.low = 1, .high = 1e6});
}

ReportBundle make_bundle(const ReportTask& given, const ReportParams& params,
                         const Context& context) {
  check(given, params);
  ReportTask task = given;
  for (ReportModel& model : task.models) {
    model.model =
        with_known_rows(model.model, task.train.num_rows() > 0 ? task.train : task.data, context);
  }
  auto most_documents = static_cast<std::size_t>(params.documents);
  for (const ReportModel& model : task.models) {
    most_documents = most_explained(model.model, most_documents);
  }
  const ShownQueries shown = choose_queries(task.data, most_documents);
  const bool has_train = task.train.num_rows() > 0;
  std::vector<std::string> names = feature_names(task);
  const std::size_t num_features = names.size();
  const BundleSetting setting{.task = task,
                              .params = params,
                              .shown = shown,
                              .background = has_train ? task.train : task.data,
                              .names = std::move(names),
                              .is_category = category_flags(task, num_features)};
  ReportBundle bundle{.title = params.title,
                      .date = task.date,
                      .version = kVersion,
                      .command = task.command,
                      .metric = to_text(parse_metric(params.metrics.front()))};
  DataStats stats = data_stats(task.data, {.count_distinct = true}, context);
  std::optional<DataStats> train;
  if (has_train) train = data_stats(task.train, {.count_distinct = true}, context);
  bundle.features = bundle_features(setting, stats, train ? &*train : nullptr);
  bundle.data = bundle_data(task.data_file, std::move(stats), task.data);
  if (train) bundle.train = bundle_data(task.train_file, std::move(*train), task.train);
  refuse_one_row(bundle, params);
  bundle.documents =
      bundle_documents(shown, setting.names.size(), task.data.num_rows() - shown.data.num_rows());
  ComparedSystems systems = compare_models(setting, context);
  bundle.comparison = std::move(systems.comparison);
  bundle.notes = std::move(systems.notes);
  const std::vector<std::string> seen = seen_by_models(task, context);
  for (std::size_t m = 0; m < task.models.size(); ++m) {
    BundleModel model = bundle_model(setting, m, context);
    model.seen = seen[m];
    bundle.notes[m] = fmt::format("{}: {}", model.kind, model.size);
    if (!model.seen.empty()) bundle.notes[m] += fmt::format("; this is its {}", model.seen);
    std::vector<double> values;
    for (const std::size_t query : shown.queries) values.push_back(systems.query_values[m][query]);
    model.query_values = pack(std::span<const double>(values));
    add_explanations(setting, m, model, context);
    bundle.models.push_back(std::move(model));
  }
  bundle.outliers = bundle_outliers(setting, systems.query_values, context);
  if (params.audit_queries > 0) add_audit(setting, bundle, context);
  bundle.warnings = warnings_of(setting, bundle);
  return bundle;
}

}  // namespace glassrank
