#pragma once
// Makes the report's bundle: scores, evaluates, compares, explains and audits with the library's
// own pieces and puts the answers side by side.
//
//   const ReportBundle bundle = make_bundle(task, params, context);
//   write_report("report.html", bundle);                              (report_page.h)
//
// The first model is the one that is explained in full; others are compared with it, and explained
// by the first explainer. The result does not depend on the number of threads. Cost: mostly
// permutation importance (features x repeats x scoring) and the explainers; `documents` bounds
// both.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/evaluation/unknown_categories.h"
#include "glassrank/explain/permutation.h"
#include "glassrank/models/model.h"
#include "glassrank/report/bundle/bundle.h"
#include "glassrank/report/bundle/recorded_run.h"

namespace glassrank {

struct ReportParams {
  std::string title = "How this model ranks";
  std::vector<std::string> metrics = {"ndcg@10", "ndcg@5", "err@10", "map"};
  int baselines = 3;
  int documents = 10'000;
  // Empty: tree-shap, or kernel-shap for a neural network.
  std::vector<std::string> explainers;
  std::string list_explainer = "greedy-cover-eps";
  int k = 5;
  int list_queries = 200;
  int counterfactual_queries = 20;
  int counterfactuals = 5;
  int audit_queries = 20;
  // Empty: the explainers, lirme, the list explainer and random.
  std::vector<std::string> audit_methods;
  int dependence_features = 30;
  int outliers = 60;
  int cutoff = 10;
  int repeats = 3;

  void visit(ParamVisitor& visitor);
};

// A model with what is known of its file.
struct ReportModel {
  std::string name;  // short; no two alike
  std::string file;
  std::string format;
  Model model;
  std::optional<RecordedRun> record = {};  // of its training
};

struct ReportTask {
  std::vector<ReportModel> models;  // at least one; features in the order of the data's columns
  Dataset data;
  std::string data_file;
  Dataset train = Dataset();  // no rows: not known, the data itself then says what is usual
  std::string train_file = {};
  std::string date = {};  // of today, as people write it; the library knows no clock
  std::string command = {};
  std::vector<std::string> notices = {};      // what was warned of while files were read
  std::vector<UnknownCategory> unknown = {};  // of the data
};

// Throws Error{kUsage} for parameters that do not fit, Error{kInput} for data without rows.
ReportBundle make_bundle(const ReportTask& task, const ReportParams& params,
                         const Context& context);

}  // namespace glassrank
