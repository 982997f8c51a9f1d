#include "cli/compare_inputs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/feature_scores.h"
#include "cli/model_scores.h"
#include "glassrank/base/error.h"
#include "glassrank/data/io/scores.h"
#include "glassrank/data/io/trec.h"
#include "glassrank/data/judged_run.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/metrics/judged_lists.h"
#include "glassrank/metrics/per_query_file.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

const std::string kDefaultMetric = "ndcg@10";

std::string short_name(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  return name.stem().string();
}

// Collects one system after the other, metric by metric.
class Collector {
 public:
  Collector(std::vector<MetricSpec> metrics, const Convention& convention, const Context& context)
      : metrics_(std::move(metrics)), convention_(convention), context_(context) {
    for (const MetricSpec& metric : metrics_) {
      result_.metrics.push_back({.metric = to_text(metric), .values = {}});
    }
    result_.convention = to_text(convention);
  }

  void add(std::string name, const ListSource& lists) {
    Evaluation evaluation = evaluate(lists, metrics_, convention_, context_);
    result_.names.push_back(std::move(name));
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      result_.metrics[m].values.push_back(std::move(evaluation.metrics[m].values));
    }
  }

  SystemsToCompare take() { return std::move(result_); }

 private:
  std::vector<MetricSpec> metrics_;
  const Convention& convention_;
  const Context& context_;
  SystemsToCompare result_;
};

std::vector<MetricSpec> metrics_or_default(const std::vector<std::string>& texts) {
  return parse_metrics(texts.empty() ? std::vector<std::string>{kDefaultMetric} : texts);
}

}  // namespace

std::vector<std::string> names_of_files(std::span<const std::string> paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(short_name(path));
  const std::vector<std::string> shorts = names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::count(shorts, shorts[i]) > 1) names[i] = paths[i];
  }
  return names;
}

void CompareInputs::visit(ParamVisitor& visitor) {
  visitor.field("metric", metrics_,
                fmt::format("what to compare on, for example {}; none: that one, or all of the "
                            "per-query files",
                            kDefaultMetric),
                ParamStyle{.value_name = "METRIC"});
  visitor.field("data", data_, "data file with queries and grades",
                ParamStyle{.value_name = "FILE"});
  visitor.field("model", models_, "a system: model in any format that can be read",
                ParamStyle{.value_name = "FILE"});
  visitor.field("scores", scores_, "a system: one number per line for each document of the data",
                ParamStyle{.value_name = "FILE"});
  visitor.field("feature", features_,
                "a system: this feature of the data, the largest first; =-NAME: the smallest first",
                ParamStyle{.value_name = "NAME"});
  visitor.field("run", runs_, "a system: TREC run", ParamStyle{.value_name = "FILE"});
  visitor.field("qrels", qrels_, "TREC judgements of the runs", ParamStyle{.value_name = "FILE"});
  visitor.field("per_query", per_query_,
                "a system: values as evaluate --per-query or trec_eval -q write them",
                ParamStyle{.value_name = "FILE"});
  convention_.visit(visitor);
  read_.visit(visitor);
}

SystemsToCompare CompareInputs::load(const Context& context) const {
  check();
  if (!per_query_.empty()) return load_per_query();
  return runs_.empty() ? load_dataset_systems(context) : load_runs(context);
}

void CompareInputs::check() const {
  const bool has_rows = !models_.empty() || !scores_.empty() || !features_.empty();
  const int num_kinds = (per_query_.empty() ? 0 : 1) + (runs_.empty() ? 0 : 1) + (has_rows ? 1 : 0);
  if (num_kinds != 1) {
    fail(ErrorKind::kUsage,
         "compare needs systems of one kind: --model, --scores and --feature with --data, --run "
         "with --qrels, or --per-query");
  }
  if (has_rows && data_.empty()) {
    fail(ErrorKind::kUsage,
         "--model, --scores and --feature need --data, the file with queries and grades");
  }
  if (!runs_.empty() && qrels_.empty()) {
    fail(ErrorKind::kUsage, "--run needs --qrels, the judgements of its documents");
  }
  if (!has_rows && !data_.empty()) {
    fail(ErrorKind::kUsage, "--data goes with --model, --scores and --feature only");
  }
  if (runs_.empty() && !qrels_.empty()) fail(ErrorKind::kUsage, "--qrels goes with --run only");
}

SystemsToCompare CompareInputs::load_per_query() const {
  std::vector<PerQueryFile> files;
  for (const std::string& path : per_query_) files.push_back(read_per_query(path));
  return {.names = names_of_files(per_query_),
          .metrics = align_per_query(files, metrics_),
          .convention = {}};
}

SystemsToCompare CompareInputs::load_dataset_systems(const Context& context) const {
  const Convention convention = convention_.resolve();
  Collector collector(metrics_or_default(metrics_), convention, context);
  std::vector<Model> models;
  for (const std::string& path : models_) models.push_back(load_model(path, context));
  const Dataset data = load_rows_for(models, data_, read_, context);
  std::vector<std::string> files = models_;
  files.insert(files.end(), scores_.begin(), scores_.end());
  const std::vector<std::string> names = names_of_files(files);
  for (std::size_t i = 0; i < models.size(); ++i) {
    const std::vector<double> scores = score_rows(models[i], data, context);
    collector.add(names[i], DatasetLists(data, scores));
  }
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const std::vector<double> scores =
        data.from_file_order(read_scores(scores_[i], data.num_rows(), context));
    collector.add(names[models.size() + i], DatasetLists(data, scores));
  }
  for (const std::string& feature : features_) {
    const std::vector<double> scores = feature_scores(data, feature);
    collector.add(feature, DatasetLists(data, scores));
  }
  return collector.take();
}

SystemsToCompare CompareInputs::load_runs(const Context& context) const {
  const Convention convention = convention_.resolve();
  Collector collector(metrics_or_default(metrics_), convention, context);
  const Qrels qrels = read_qrels(qrels_, context);
  const std::vector<std::string> names = names_of_files(runs_);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const JudgedRun judged =
        join_run(qrels, read_run(runs_[i], context), JoinOptions{.complete = true});
    if (judged.num_not_judged > 0) {
      context.warn(fmt::format("{}: {} queries have no judgements and are left out", runs_[i],
                               judged.num_not_judged));
    }
    if (judged.num_not_retrieved > 0) {
      context.warn(fmt::format("{}: {} judged queries are not in it and count as nothing found",
                               runs_[i], judged.num_not_retrieved));
    }
    collector.add(names[i], JudgedLists(judged));
  }
  return collector.take();
}

}  // namespace glassrank::cli
