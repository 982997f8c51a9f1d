#include "glassrank/methods/training/check_training.h"

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/param_uses.h"
#include "glassrank/boosting/booster_params.h"
#include "glassrank/methods/cleaners/cleaner.h"
#include "glassrank/methods/lambdamart/sample_params.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/search_space.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/objectives/registry.h"

namespace glassrank {
namespace {

bool has_clean(const Method& method) {
  const std::string cleaner = param_value(method, "clean.method");
  return !cleaner.empty() && cleaner != "none";
}

void check_format(const Method& method, const TrainFiles& files) {
  const ModelFormat& format = model_format(files.model_format);
  if (format.write == nullptr) {
    fail(ErrorKind::kUsage, "models are not written as {}; see glassrank list model-formats",
         files.model_format);
  }
  if (format.body == FormatBody::kGam && !method.traits().is_additive) {
    fail(ErrorKind::kUsage, "{} holds additive models, which --method {} does not give",
         files.model_format, method.name());
  }
}

void check_for_text(const TrainFiles& files) {
  if (!files.is_given("for_text")) return;
  if (files.model_format.starts_with("lightgbm") || files.model_format.starts_with("xgboost")) {
    return;
  }
  fail(ErrorKind::kUsage, "--for-text belongs to --model-format lightgbm or xgboost, not {}",
       files.model_format);
}

// A callback that would never be called is a mistake.
void check_callback(const Method& method) {
  if (!method.watch().after_round || method.traits().calls_back) return;
  std::vector<std::string_view> names;
  for (const MethodInfo& info : method_table()) {
    if (info.make()->traits().calls_back) names.push_back(info.name);
  }
  fail(ErrorKind::kUsage,
       "callbacks come after rounds or epochs, and {} as it is set has none; methods that have: "
       "{}",
       method.name(), fmt::join(names, ", "));
}

// Options of one training run mean nothing for many.
void check_single(const TrainFiles& files, const TrainPlan& plan) {
  const char* many = plan.has_search() ? "--search" : plan.num_folds > 0 ? "--folds" : nullptr;
  if (many == nullptr) return;
  const std::pair<const char*, bool> single[] = {{"--resume", plan.resumes},
                                                 {"--learning-curve", !files.curve.empty()},
                                                 {"--record", !files.record.empty()},
                                                 {"--dropped", !files.dropped.empty()},
                                                 {"--start-model", !files.start_model.empty()}};
  for (const auto& [name, is_given] : single) {
    if (!is_given) continue;
    fail(ErrorKind::kUsage, "{} is for one training run; it does not go with {}", name, many);
  }
}

void check_data(const TrainFiles& files, const TrainPlan& plan) {
  if (plan.num_folds > 0 && !files.valid.empty()) {
    fail(ErrorKind::kUsage, "give --valid or --folds, not both");
  }
  if (plan.has_search() && plan.num_folds == 0 && files.valid.empty()) {
    fail(ErrorKind::kUsage, "--search needs --valid or --folds to compare by");
  }
  for (const char* name : {"search.trials", "search.rungs"}) {
    if (plan.has_search() || !files.is_given(name)) continue;
    fail(ErrorKind::kUsage, "--{} is for a search; --search says over what", name);
  }
  if (files.out.empty() && plan.num_folds == 0 && !plan.has_search()) {
    fail(ErrorKind::kUsage, "--out is required: model file to write");
  }
  if (files.out.empty() && !files.test.empty()) fail(ErrorKind::kUsage, "--test needs --out");
}

// After folds the model for all data is trained without validation data.
void check_cleaning(const Method& method, const TrainFiles& files, const TrainPlan& plan) {
  if (!has_clean(method)) {
    if (!files.dropped.empty()) fail(ErrorKind::kUsage, "--dropped needs --clean");
    return;
  }
  if (plan.num_folds == 0 || files.out.empty()) return;
  if (plan.has_search()) {
    fail(ErrorKind::kUsage,
         "--clean with --search and --folds cannot end in a model; leave out --out or use --valid");
  }
  const bool is_tuned = param_value(method, "clean.tune") == "true";
  const CleanerInfo& cleaner =
      *std::ranges::find(cleaner_table(), param_value(method, "clean.method"), &CleanerInfo::name);
  if (is_tuned || cleaner.cleaner().traits().needs_valid) {
    fail(ErrorKind::kUsage,
         "{} goes by validation data, and with --folds the model of --out has none; leave out "
         "--out or use --valid",
         is_tuned ? "--tune" : fmt::format("--clean {}", cleaner.name));
  }
}

// Whether some trial of a search may be in bags.
bool may_search_bags(const Method& method, const TrainPlan& plan) {
  const std::vector<std::string> names = searched_params(plan.search.ranges, method);
  return std::ranges::any_of(
      names, [](const std::string& name) { return name == "bags" || name == "stop_on"; });
}

void check_bags(const Method& method, const TrainFiles& files, const TrainPlan& plan) {
  const std::string bags = param_value(method, "bags");
  if (bags.empty() || !files.is_given("valid_share")) return;
  if (bags != "1" || param_value(method, "stop_on") == "bag") return;
  if (may_search_bags(method, plan)) return;
  fail(ErrorKind::kUsage,
       "--valid-share is for bags, which hold out queries: give --bags N or --stop-on bag with it");
}

// What stops a training needs something to stop it by.
void check_stopping(const Method& method, const TrainFiles& files, const TrainPlan& plan) {
  if (!files.valid.empty() || plan.num_folds > 0 || may_search_bags(method, plan)) return;
  const std::string stop_on = param_value(method, "stop_on");
  // RankGAM holds out a share of its own.
  const bool holds_out = stop_on.empty() && !param_value(method, "valid_share").empty();
  if (stop_on == "bag" || holds_out) return;
  for (const std::string name : {"patience", "min_delta"}) {
    if (!files.is_given(name) || param_value(method, name) == "0") continue;
    fail(ErrorKind::kUsage, "--{} needs data to stop by: give --valid{} or --folds",
         name == "patience" ? "patience" : "min-delta", stop_on.empty() ? "" : ", --stop-on bag");
  }
}

// Parameters that were given or are searched, and that nothing looks at. Values that are searched
// are not known: they may be right.
void check_used(const Method& method, const TrainFiles& files, const TrainPlan& plan) {
  std::vector<ParamInfo> infos = list_params(method);
  std::vector<std::string> given = files.given;
  for (const std::string& name : searched_params(plan.search.ranges, method)) {
    std::erase_if(infos, [&](const ParamInfo& info) { return info.name == name; });
    given.push_back(name);
  }
  std::vector<ParamUse> uses = method.uses();
  add_group_uses(uses, "", boosting_uses());
  add_group_uses(uses, "sample.", sample_uses());
  add_group_uses(uses, "clean.", clean_uses());
  refuse_unused(uses, "", infos, given);
}

}  // namespace

std::vector<ParamUse> boosting_uses() {
  std::vector<ParamUse> uses;
  add_group_uses(uses, "", booster_uses());
  add_group_uses(uses, "", objective_uses());
  add_group_uses(uses, "", watch_uses());
  return uses;
}

std::string param_value(const Method& method, std::string_view name) {
  const std::vector<ParamInfo> infos = list_params(method);
  const auto found = std::ranges::find(infos, name, &ParamInfo::name);
  return found == infos.end() ? "" : found->value;
}

void check_training(const Method& method, const TrainFiles& files, const TrainPlan& plan) {
  check_format(method, files);
  check_for_text(files);
  if (!files.start_model.empty() && !method.traits().warm_starts) {
    fail(ErrorKind::kUsage,
         "--start-model is for methods that add trees to those of any model; {} cannot",
         method.name());
  }
  check_callback(method);
  check_data(files, plan);
  check_single(files, plan);
  check_bags(method, files, plan);
  check_stopping(method, files, plan);
  check_used(method, files, plan);
  method.check({.has_valid = plan.num_folds > 0 || !files.valid.empty(),
                .has_start = !files.start_model.empty(),
                .resumes = plan.resumes});
  check_cleaning(method, files, plan);
}

void check_given(const TrainFiles& files, const Schema& train) {
  if (train.has_categories()) return;
  for (const std::string_view name : category_params()) {
    if (!files.is_given(name)) continue;
    fail(ErrorKind::kUsage,
         "{} is for features of categories, and {} has none; --read.categorical names those that "
         "are",
         flag_of(std::string(name)), files.train);
  }
}

}  // namespace glassrank
