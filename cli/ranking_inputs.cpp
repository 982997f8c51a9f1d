#include "cli/ranking_inputs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/file_names.h"
#include "glassrank/data/io/scores.h"
#include "glassrank/data/io/trec.h"
#include "glassrank/evaluation/feature_scores.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/metrics/judged_lists.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/scorer.h"

namespace glassrank::cli {
namespace {

void warn_of_left_out(const std::string& run, const JudgedRun& judged, const JoinOptions& join,
                      const Context& context) {
  if (judged.num_not_judged > 0) {
    context.warn(fmt::format("{}: {} queries have no judgements and are left out", run,
                             judged.num_not_judged));
  }
  if (judged.num_not_retrieved > 0) {
    context.warn(fmt::format(
        "{}: {} judged queries are not in it and {}", run, judged.num_not_retrieved,
        join.complete ? "count as nothing found" : "are left out (--complete counts them)"));
  }
}

}  // namespace

void RankingInputs::visit_sources(ParamVisitor& visitor) {
  constexpr ParamStyle kFiles{.file = FileUse::kInput, .one_value = true};
  visitor.field("data", data_, "data file with queries and grades",
                ParamStyle{.file = FileUse::kInput});
  visitor.field("model", models_, "model in any format that can be read, to score the data",
                kFiles);
  visitor.field("scores", scores_, "score file: one number per line for each document of the data",
                kFiles);
  visitor.field("feature", features_,
                "rank by this feature of the data, the largest first; =-NAME: the smallest first",
                ParamStyle{.value_name = "NAME", .one_value = true});
  visitor.field("run", runs_, "TREC run", kFiles);
  visitor.field("qrels", qrels_, "TREC judgements of the documents of runs",
                ParamStyle{.file = FileUse::kInput});
}

std::vector<ParamUse> RankingInputs::uses() const {
  std::vector<ParamUse> uses;
  add_uses(uses, param_names(read_), "data");
  add_uses(uses, {"match", "all_trees"}, "model");
  if (features_.empty()) uses.push_back({"first_feature", "model"});
  return uses;
}

void RankingInputs::set_trec_files(const std::vector<std::string>& files) {
  if (size() > 0 || !data_.empty() || !qrels_.empty()) {
    fail(ErrorKind::kUsage,
         "'{}' is not expected here: files without an option are judgements and runs, as in "
         "glassrank evaluate QRELS RUN, and go with no other files",
         files.front());
  }
  if (files.size() < 2) {
    fail(ErrorKind::kUsage, "one file is not enough: glassrank evaluate QRELS RUN");
  }
  qrels_ = files.front();
  runs_.assign(files.begin() + 1, files.end());
}

void RankingInputs::check() const {
  if (num_on_data() > 0 && data_.empty()) {
    fail(ErrorKind::kUsage,
         "--model, --scores and --feature need --data, the file with queries and grades");
  }
  if (num_runs() > 0 && qrels_.empty()) {
    fail(ErrorKind::kUsage, "--run needs --qrels, the judgements of its documents");
  }
  if (num_on_data() == 0 && !data_.empty()) {
    fail(ErrorKind::kUsage, "--data goes with --model, --scores and --feature only");
  }
  if (num_runs() == 0 && !qrels_.empty()) fail(ErrorKind::kUsage, "--qrels goes with --run only");
}

void RankingInputs::for_each(const JoinOptions& join, const Context& context, Use use) const {
  if (num_on_data() > 0) for_each_on_data(context, use);
  if (num_runs() > 0) for_each_run(join, context, use);
}

void RankingInputs::for_each_on_data(const Context& context, Use use) const {
  const std::vector<Model> models = load_models(models_, context, model_read_);
  const Dataset data = load_dataset(data_, read_params_for(models, read_), context);
  std::vector<std::string> files = models_;
  files.insert(files.end(), scores_.begin(), scores_.end());
  const std::vector<std::string> names = names_of_files(files);
  const auto use_scores = [&](const std::string& name, const std::vector<double>& scores) {
    use(name, DatasetLists(data, scores));
  };
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Dataset rows = rows_of(models[i], models_[i], data, context);
    use_scores(names[i], score_all(*make_scorer(models[i]), rows, context));
  }
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    use_scores(names[models.size() + i],
               data.from_file_order(read_scores(scores_[i], data.num_rows(), context)));
  }
  for (const std::string& feature : features_) use_scores(feature, feature_scores(data, feature));
}

Dataset RankingInputs::rows_of(const Model& model, const std::string& path, const Dataset& data,
                               const Context& context) const {
  try {
    return rows_for(model, data, data_, read_, context);
  } catch (Error& error) {
    if (models_.size() > 1) error.add_context(path);
    throw;
  }
}

void RankingInputs::for_each_run(const JoinOptions& join, const Context& context, Use use) const {
  const Qrels qrels = read_qrels(qrels_, context);
  const std::vector<std::string> names = names_of_files(runs_);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const JudgedRun judged = join_run(qrels, read_run(runs_[i], context), join);
    if (judged.queries.empty()) {
      fail(ErrorKind::kInput, "no query of '{}' is judged in '{}'; do the query ids agree?",
           runs_[i], qrels_);
    }
    warn_of_left_out(runs_[i], judged, join, context);
    use(names[i], JudgedLists(judged));
  }
}

}  // namespace glassrank::cli
