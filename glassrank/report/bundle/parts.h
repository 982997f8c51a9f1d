#pragma once
// The parts of a bundle, each made by one function; make_bundle.cpp puts them together.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/subject.h"
#include "glassrank/models/model.h"
#include "glassrank/report/bundle/bundle.h"
#include "glassrank/report/bundle/make_bundle.h"

namespace glassrank {

// The queries that the bundle holds, and their rows as a data set of their own.
struct ShownQueries {
  std::vector<std::size_t> queries;  // numbers in the data, ascending
  Dataset data;
};
// All of them, or as many as hold at most `most_documents` (at least one), evenly over the data.
ShownQueries choose_queries(const Dataset& data, std::size_t most_documents);

// documents_part.cpp
BundleDocuments bundle_documents(const ShownQueries& shown, std::size_t num_features,
                                 std::size_t num_left_out);
// Attributions in steps of a document's largest: `most_steps` of them to either side.
BundleAttributions pack_attributions(std::span<const std::vector<double>> attributions,
                                     std::span<const double> base_values, std::size_t num_features);
// Adds the standard errors, as many.
void pack_errors(std::span<const std::vector<double>> errors, std::size_t num_features,
                 BundleAttributions& attributions);

// What every part needs to know.
struct BundleSetting {
  const ReportTask& task;
  const ReportParams& params;
  const ShownQueries& shown;
  const Dataset& background;       // training data, or the data
  std::vector<std::string> names;  // of features
  std::vector<bool> is_category;   // of each feature, to some model or in the data
};

// Features that explanations and audits name: `k`, but half of all at most, since naming nearly all
// of them explains nothing.
std::size_t num_named(std::size_t k, std::size_t num_features);
std::size_t num_named(const BundleSetting& setting);

// model_part.cpp: what the model is and uses, but for explanations.
BundleModel bundle_model(const BundleSetting& setting, std::size_t model, const Context& context);
// explanations_part.cpp: adds attributions, sets and counterfactuals; importances by attribution.
void add_explanations(const BundleSetting& setting, std::size_t model, BundleModel& bundle,
                      const Context& context);
// "tree-shap" or, for a model that cannot be looked into, "kernel-shap", unless the user says.
std::vector<std::string> explainers_for(const ReportParams& params, const Model& model);

// The explainer as reports use it: naming k features, and with fewer samples and background rows
// where every question costs a score of the model (neural networks).
std::unique_ptr<Explainer> report_explainer(const std::string& name, std::size_t k,
                                            const Model& model);
// Documents that a report can explain in reasonable time, at most.
std::size_t most_explained(const Model& model, std::size_t asked);

// comparison_part.cpp: the models and the best single features.
struct ComparedSystems {
  Comparison comparison;
  std::vector<std::string> notes;
  std::vector<std::vector<double>> query_values;  // [model][query of the data], first metric
};
ComparedSystems compare_models(const BundleSetting& setting, const Context& context);
BundleCurve quality_by_trees(const Forest& forest, const BundleSetting& setting,
                             const Context& context);
BundleCurve quality_by_rounds(const RecordedRun& run, const BundleSetting& setting);

// outliers_part.cpp; of the first model whose trees can be followed one by one.
std::optional<BundleOutliers> bundle_outliers(const BundleSetting& setting,
                                              std::span<const std::vector<double>> query_values,
                                              const Context& context);

// warnings.cpp: what the ranked data was to each model: "training data", "validation data" or "".
std::vector<std::string> seen_by_models(const ReportTask& task, const Context& context);
// What a reader should know first, of a bundle that is otherwise finished.
std::vector<std::string> warnings_of(const BundleSetting& setting, const ReportBundle& bundle);

}  // namespace glassrank
