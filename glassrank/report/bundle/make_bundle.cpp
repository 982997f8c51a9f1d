#include "glassrank/report/bundle/make_bundle.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/version.h"
#include "glassrank/data/stats.h"
#include "glassrank/explain/audit/ground_truth.h"
#include "glassrank/explain/explanation_view.h"
#include "glassrank/explain/tree_shap/cover.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/models/display_names.h"
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

// As the first model that knows them has them; the rows have its codes.
void add_categories(const BundleSetting& setting, std::vector<BundleFeature>& features) {
  for (const ReportModel& model : setting.task.models) {
    const std::vector<bool> is_category = category_features_of(model.model);
    const CategoryNames names = category_names_of(model.model);
    for (std::size_t f = 0; f < is_category.size() && f < features.size(); ++f) {
      if (!is_category[f] || features[f].is_category) continue;
      features[f].is_category = true;
      features[f].is_switch = false;
      const auto own = names_of(names, f);
      features[f].categories.assign(own.begin(), own.end());
    }
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
  return features;
}

BundleData bundle_data(const std::string& file, DataStats stats, const Dataset& data) {
  BundleData bundle{.file = file, .stats = stats_report(std::move(stats), data, true)};
  if (bundle.stats.grade_conflicts.size() > kListedConflicts) {
    bundle.stats.grade_conflicts.resize(kListedConflicts);
  }
  return bundle;
}

std::string plural(std::size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

void warn_of_data(const BundleData& data, const char* name, std::vector<std::string>& warnings) {
  const DataStats& stats = data.stats.stats;
  if (!stats.duplicates.conflicts.empty()) {
    warnings.push_back(fmt::format(
        "The {} has {} in which documents with the same features have different grades.", name,
        plural(stats.duplicates.conflicts.size(), "group")));
  }
  if (stats.queries_with_one_grade > 0) {
    warnings.push_back(
        fmt::format("In {} of {} queries of the {} all documents have the same "
                    "grade: no order is better than another there.",
                    stats.queries_with_one_grade, stats.num_queries, name));
  }
  if (!stats.constant_features.empty()) {
    warnings.push_back(
        fmt::format("{} the same in all documents of the {}.",
                    stats.constant_features.size() == 1
                        ? std::string("1 feature is")
                        : fmt::format("{} features are", stats.constant_features.size()),
                    name));
  }
  if (!stats.duplicate_features.empty()) {
    warnings.push_back(fmt::format(
        "{} of the {} equal to another feature in every document: importances are shared between "
        "such twins.",
        stats.duplicate_features.size() == 1
            ? std::string("1 feature is")
            : fmt::format("{} features are", stats.duplicate_features.size()),
        name));
  }
}

std::vector<std::string> warnings_of(const BundleSetting& setting, const ReportBundle& bundle) {
  std::vector<std::string> warnings;
  warn_of_data(*bundle.data, "data", warnings);
  if (bundle.train) {
    warn_of_data(*bundle.train, "training data", warnings);
  } else {
    warnings.push_back(
        "No training data was given: the ranked data itself stands for what is usual, and single "
        "features were chosen on it.");
  }
  if (bundle.documents.num_left_out > 0) {
    warnings.push_back(
        fmt::format("{} of {} documents can be looked at one by one here, those of queries spread "
                    "evenly over the "
                    "file; metrics are over all.",
                    setting.shown.data.num_rows(), setting.task.data.num_rows()));
  }
  if (bundle.documents.is_rounded) {
    warnings.push_back("Feature values are rounded to three digits to keep this file small.");
  }
  if (bundle.outliers && bundle.outliers->num_negative + bundle.outliers->num_positive > 0) {
    warnings.push_back(fmt::format(
        "{} of {} documents of the {} stay on the wrong side of the top {} however many trees rank "
        "them: some of them may be judged wrongly, see Data.",
        bundle.outliers->num_negative + bundle.outliers->num_positive, bundle.outliers->num_rows,
        bundle.outliers->data, bundle.outliers->cutoff));
  }
  return warnings;
}

void add_audit(const BundleSetting& setting, ReportBundle& bundle, const Context& context) {
  const Model& model = setting.task.models.front().model;
  const auto scorer = make_scorer(model);
  const Subject subject{.scorer = *scorer, .model = &model, .background = setting.background};
  std::vector<std::string> names = setting.params.audit_methods;
  if (names.empty()) {
    names = explainers_for(setting.params, model);
    for (const char* other : {"lirme", setting.params.list_explainer.c_str(), "random"}) {
      if (std::ranges::find(names, other) == names.end()) names.emplace_back(other);
    }
  }
  AuditMethods methods;
  methods.choose(names);
  for (AuditMethod& method : methods.get()) {
    method.explainer = report_explainer(method.explainer->name(),
                                        static_cast<std::size_t>(setting.params.k), model);
  }
  AuditParams params;
  params.k = std::min(setting.params.k, static_cast<int>(setting.names.size()));
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
  for (const Measure& measure : bundle.audit->cases.measures) {
    bundle.measures.emplace_back(measure.name, measure.doc);
  }
}

}  // namespace

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
  visitor.field("k", k, "number of features that explanations name", Range{.low = 1, .high = 1e9});
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
  // RankLib's and QuickRank's trees do not know how many rows reached their leaves.
  ReportTask task = given;
  for (ReportModel& model : task.models) {
    model.model =
        with_known_cover(model.model, task.train.num_rows() > 0 ? task.train : task.data, context);
  }
  auto most_documents = static_cast<std::size_t>(params.documents);
  for (const ReportModel& model : task.models) {
    most_documents = most_explained(model.model, most_documents);
  }
  const ShownQueries shown = choose_queries(task.data, most_documents);
  const bool has_train = task.train.num_rows() > 0;
  const BundleSetting setting{.task = task,
                              .params = params,
                              .shown = shown,
                              .background = has_train ? task.train : task.data,
                              .names = feature_names(task)};
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
  bundle.documents =
      bundle_documents(shown, setting.names.size(), task.data.num_rows() - shown.data.num_rows());
  ComparedSystems systems = compare_models(setting, context);
  bundle.comparison = std::move(systems.comparison);
  bundle.notes = std::move(systems.notes);
  for (std::size_t m = 0; m < task.models.size(); ++m) {
    bundle.notes[m] = "";
    BundleModel model = bundle_model(setting, m, context);
    bundle.notes[m] = fmt::format("{}: {}", model.kind, model.size);
    std::vector<double> values;
    for (const std::size_t query : shown.queries) values.push_back(systems.query_values[m][query]);
    model.query_values = pack(std::span<const double>(values));
    add_explanations(setting, m, model, context);
    bundle.models.push_back(std::move(model));
  }
  match(
      task.models.front().model,
      [&](const Forest& forest) {
        if (forest.trees().size() > 1) {
          bundle.outliers = bundle_outliers(setting, forest, systems.query_values, context);
        }
      },
      [](const auto&) {});
  if (params.audit_queries > 0) add_audit(setting, bundle, context);
  bundle.warnings = warnings_of(setting, bundle);
  return bundle;
}

}  // namespace glassrank
