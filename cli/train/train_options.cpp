#include "cli/train/train_options.h"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/output_file.h"
#include "cli/same_file.h"
#include "glassrank/base/error.h"
#include "glassrank/methods/lambdamart/cleaned_lambdamart.h"
#include "glassrank/methods/training/search_space.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

// Options of one training run mean nothing for many.
void refuse_with_many(const TrainOptions& options, const char* many) {
  const std::pair<const char*, bool> single[] = {{"--resume", options.resume},
                                                 {"--curve", !options.curve.empty()},
                                                 {"--record", !options.record.empty()},
                                                 {"--dropped", !options.dropped.empty()},
                                                 {"--start-model", !options.start_model.empty()}};
  for (const auto& [name, is_given] : single) {
    if (is_given) {
      fail(ErrorKind::kUsage, "{} is for one training run; it does not go with {}", name, many);
    }
  }
}

// After folds the model for all data is trained without validation data, for the mean number of
// trees.
void check_cleaning(const TrainOptions& options) {
  const CleanParams& clean = options.params.clean;
  const bool has_valid = options.folds > 0 || !options.valid.empty();
  check_clean(clean, clean_setting(options.params, has_valid));
  if (!options.dropped.empty() && !options.has_clean()) {
    fail(ErrorKind::kUsage, "--dropped needs --clean");
  }
  if (!options.has_clean() || options.folds == 0 || options.out.empty()) return;
  if (options.has_search()) {
    fail(ErrorKind::kUsage,
         "--clean with --search and --folds cannot end in a model; leave out --out or use --valid");
  }
  if (clean.tune || clean.method == CleanMethod::kLastSour) {
    fail(ErrorKind::kUsage,
         "{} goes by validation data, and with --folds the model of --out has none; leave out "
         "--out or use --valid",
         clean.tune ? "--tune" : "--clean last-sour");
  }
}

// "pair_selection.max_rounds" as an option.
std::string option_name(std::string name) {
  std::ranges::replace(name, '_', '-');
  return fmt::format("--{}", name);
}

template <Parameters P>
bool has_param(const P& params, std::string_view name) {
  const std::vector<ParamInfo> infos = list_params(params);
  return std::ranges::find(infos, name, &ParamInfo::name) != infos.end();
}

// What the method has instead of another's parameter: "; ebm has --ebm.outer-bags", or nothing.
std::string own_option(const TrainOptions& options, const std::string& name) {
  for (const auto& [method, group, has] :
       {std::tuple(TrainMethod::kEbm, "ebm", has_param(options.ebm, name)),
        std::tuple(TrainMethod::kRankgam, "rankgam", has_param(options.rankgam, name))}) {
    if (options.method != method || !has) continue;
    return fmt::format("; {} has {}", group, option_name(fmt::format("{}.{}", group, name)));
  }
  return "";
}

// Complains of the first parameter that was given or is not its default: the method would ignore
// it.
template <Parameters P>
void refuse_others(const TrainOptions& options, const P& params, std::string_view group,
                   std::string_view owner) {
  const std::vector<ParamInfo> infos = list_params(params);
  const std::vector<ParamInfo> defaults = list_params(P{});
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const std::string name = fmt::format("{}{}", group, infos[i].name);
    if (infos[i].value == defaults[i].value && !options.is_given(name)) continue;
    // What is shown, which is every method's.
    if (name == "metric" || name == "train_metric") continue;
    fail(ErrorKind::kUsage, "{} is for --method {}{}", option_name(name), owner,
         own_option(options, infos[i].name));
  }
}

// Of trees, which ebm and rankgam do not grow.
void check_treeless(const TrainOptions& options) {
  const std::pair<const char*, bool> others[] = {{"--folds", options.folds > 0},
                                                 {"--search", options.has_search()},
                                                 {"--resume", options.resume},
                                                 {"--curve", !options.curve.empty()},
                                                 {"--record", !options.record.empty()},
                                                 {"--dropped", !options.dropped.empty()},
                                                 {"--start-model", !options.start_model.empty()}};
  for (const auto& [name, is_given] : others) {
    if (is_given) fail(ErrorKind::kUsage, "{} is for --method lambdamart or ilmart", name);
  }
  if (options.wants_checkpoints()) {
    fail(ErrorKind::kUsage,
         "--checkpoint-every is for --method lambdamart or ilmart; ebm and rankgam keep no "
         "checkpoints, but write the best model so far when stopped");
  }
  refuse_others(options, options.params, "", "lambdamart or ilmart");
  if (options.method == TrainMethod::kEbm && options.ebm.stop_on == StopOn::kValid &&
      options.valid.empty()) {
    fail(ErrorKind::kUsage, "--ebm.stop-on valid needs --valid");
  }
  if (options.method == TrainMethod::kEbm) {
    parse_metric(options.ebm.metric);
    make_objective(options.ebm.objective, 0);
  } else {
    parse_metric(options.rankgam.metric);
  }
}

// Whether some trial of --search may be in bags.
bool may_search_bags(const TrainOptions& options) {
  if (!options.has_search()) return false;
  const std::vector<SearchRange> ranges = parse_search_space(options.search.ranges, options.params);
  return std::ranges::any_of(ranges, [](const SearchRange& range) {
    return range.name == "outer_bags" || range.name == "stop_on";
  });
}

void check_bags(const TrainOptions& options) {
  const bool is_bagged = options.ilmart.is_bagged();
  if (is_bagged && (options.resume || options.wants_checkpoints())) {
    fail(
        ErrorKind::kUsage,
        "{} is not for bags (--outer-bags, --stop-on bag): they keep no checkpoints, but write the "
        "best model so far when stopped",
        options.resume ? "--resume" : "--checkpoint-every");
  }
  const bool has_share =
      options.ilmart.valid_share != IlmartParams{}.valid_share || options.is_given("valid_share");
  if (has_share && !is_bagged && !may_search_bags(options)) {
    fail(ErrorKind::kUsage,
         "--valid-share is for bags, which leave out queries: give --outer-bags N or --stop-on bag "
         "with it");
  }
}

// What other methods would silently ignore.
void check_method(const TrainOptions& options) {
  if (options.method != TrainMethod::kEbm) refuse_others(options, options.ebm, "ebm.", "ebm");
  if (options.method != TrainMethod::kRankgam) {
    refuse_others(options, options.rankgam, "rankgam.", "rankgam");
  }
  if (options.is_treeless()) check_treeless(options);
  if (options.method == TrainMethod::kIlmart) {
    if (!options.params.interactions.empty()) {
      fail(ErrorKind::kUsage, "--interactions is for --method lambdamart; ilmart finds its pairs");
    }
    check_bags(options);
    if (!options.start_model.empty()) {
      fail(ErrorKind::kUsage,
           "--start-model is for --method lambdamart; ilmart begins with its main effects");
    }
    return;
  }
  for (const auto& [name, value] :
       {std::pair("tables", options.tables), std::pair("centre", options.centre)}) {
    if (value && !options.is_given(name)) continue;
    fail(ErrorKind::kUsage, "--{}{} is for --method ilmart", value ? "" : "no-", name);
  }
  refuse_others(options, options.ilmart, "", "ilmart");
}

struct OutputFile {
  const char* option;  // that names it, or the file it lies beside
  std::string path;
};

std::vector<OutputFile> output_files(const TrainOptions& options) {
  std::vector<OutputFile> files;
  if (!options.curve.empty()) files.push_back({"--curve", options.curve});
  if (!options.record.empty()) files.push_back({"--record", options.record});
  if (!options.dropped.empty()) files.push_back({"--dropped", options.dropped});
  if (options.out.empty()) return files;
  files.push_back({"--out", options.out});
  if (options.has_search()) {
    if (!is_regular_or_new(options.out)) {
      fail(ErrorKind::kUsage, "--search writes files beside --out; {} is no place for that",
           options.out);
    }
    files.push_back({"the parameters beside --out", options.config_file()});
    files.push_back({"the trials beside --out", options.trials_file()});
  } else if (options.folds == 0 && !options.is_treeless() && !options.ilmart.is_bagged() &&
             is_regular_or_new(options.out)) {
    files.push_back({"the checkpoint beside --out", options.checkpoint_file()});
    if (options.has_clean()) {
      files.push_back({"the base model's checkpoint beside --out", options.base_checkpoint_file()});
    }
    if (options.method == TrainMethod::kIlmart) {
      files.push_back(
          {"the main effects' checkpoint beside --out", options.main_checkpoint_file()});
    }
  }
  return files;
}

void check_inputs(const TrainOptions& options) {
  int num_pipes = 0;
  for (const std::string& data : {options.train, options.valid, options.test}) {
    num_pipes += data == "-" ? 1 : 0;
  }
  if (num_pipes > 1) fail(ErrorKind::kUsage, "standard input (-) can be read only once");
  // Read last: a misspelt name must not cost the training.
  if (!options.test.empty() && options.test != "-" && !std::filesystem::exists(options.test)) {
    fail(ErrorKind::kIo, "cannot open {}: there is no such file", options.test);
  }
}

void check_files(const TrainOptions& options) {
  const std::vector<OutputFile> outputs = output_files(options);
  for (const auto& [option, path] : outputs) {
    for (const std::string& data : {options.train, options.valid, options.test}) {
      if (!data.empty()) refuse_same_file(data, path, option);
    }
    if (!options.start_model.empty()) {
      refuse_same_file(options.start_model, path, option, "the model to start from");
    }
    if (!options.from_lightgbm.empty()) {
      refuse_same_file(options.from_lightgbm, path, option, "the config of LightGBM");
    }
    if (!options.config.empty()) {
      refuse_same_file(options.config, path, option, "the file of --config");
    }
    for (const std::string& ranges : options.search.ranges) {  // or a file of them
      refuse_same_file(ranges, path, option, "the file of --search");
    }
    refuse_unwritable(path);
    for (const OutputFile& other : outputs) {
      if (&other.path == &path) break;
      if (other.path != path) continue;
      fail(ErrorKind::kUsage, "{} and {} name the same file {}", option, other.option, path);
    }
  }
}

}  // namespace

void TrainOptions::visit(ParamVisitor& visitor) {
  visitor.field("method", method, "what is trained (glassrank list methods)");
  visitor.field("train", train, "training data", {.required = true, .value_name = "FILE"});
  visitor.field("valid", valid, "validation data: stops training", {.value_name = "FILE"});
  visitor.field("test", test, "test data: evaluated at the end", {.value_name = "FILE"});
  visitor.field("out", out, "model file to write; needed unless there are folds or a search",
                {.value_name = "FILE"});
  visitor.field("model_format", model_format, "format of the model file (glassrank list models)");
  visitor.field(
      "tables", tables,
      "write ilmart's model as curves and surfaces; without, as the trees they came from");
  visitor.field("centre", centre,
                "shift these to mean 0 over the training data; the intercept takes the means");
  visitor.field("curve", curve, "write the metrics of every round to this TSV file",
                {.value_name = "FILE"});
  visitor.field("record", record,
                "write parameters and the metrics, rows and time of every round to this JSON file",
                {.value_name = "FILE"});
  visitor.field("dropped", dropped, "write the documents that --clean dropped to this TSV file",
                {.value_name = "FILE"});
  visitor.field("start_model", start_model,
                "go on from this model, in any format: num_trees are added to its trees",
                {.value_name = "FILE"});
  visitor.field(
      "resume", resume,
      "go on from OUT.checkpoint, if it is there, to the model an uninterrupted run gives");
  visitor.field("checkpoint_every", checkpoint_every,
                "rounds between checkpoints in OUT.checkpoint; 0 writes one only when stopped; for "
                "lambdamart and ilmart",
                kNotNegative);
  visitor.field("log_every", log_every,
                "rounds (of rankgam epochs, of ebm rounds of a bag) between lines where standard "
                "error is no terminal; 0 for none",
                kNotNegative);
  visitor.field("folds", folds,
                "cross-validate by query in so many folds; with --out, then train on all data",
                kNotNegative);
  visitor.group("search", search);
  visitor.field("from_lightgbm", from_lightgbm,
                "take parameters from a LightGBM config; --config and options go before it",
                {.value_name = "FILE"});
  params.visit(visitor);
  ilmart.visit(visitor);
  visitor.group("ebm", ebm);
  visitor.group("rankgam", rankgam);
  visitor.group("read", read);
}

bool TrainOptions::wants_checkpoints() const {
  return checkpoint_every != TrainOptions{}.checkpoint_every || is_given("checkpoint_every");
}

void TrainOptions::settle() {
  if (method == TrainMethod::kIlmart) params.ilmart = ilmart;
}

void TrainOptions::check() const {
  if (glassrank::model_format(model_format).write == nullptr) {
    fail(ErrorKind::kUsage, "models are not written as {}; see glassrank list models",
         model_format);
  }
  if (method == TrainMethod::kLambdamart &&
      glassrank::model_format(model_format).body == FormatBody::kGam) {
    fail(ErrorKind::kUsage, "{} holds additive models, which --method lambdamart does not give",
         model_format);
  }
  check_method(*this);
  if (folds > 0 && !valid.empty()) {
    fail(ErrorKind::kUsage, "give --valid or --folds, not both");
  }
  if (has_search() && folds == 0 && valid.empty()) {
    fail(ErrorKind::kUsage, "--search needs --valid or --folds to compare by");
  }
  if (has_search()) refuse_with_many(*this, "--search");
  for (const char* name : {"search.trials", "search.rungs"}) {
    if (!has_search() && is_given(name)) {
      fail(ErrorKind::kUsage, "--{} is for a search; --search says over what", name);
    }
  }
  if (folds > 0) refuse_with_many(*this, "--folds");
  if (out.empty() && folds == 0 && !has_search()) {
    fail(ErrorKind::kUsage, "--out is required: model file to write");
  }
  if (out.empty() && !test.empty()) fail(ErrorKind::kUsage, "--test needs --out");
  stopping_name(params);  // metrics that exist
  make_sampler(params.sample);
  if (params.sample.adaptive != AdaptiveStrategy::kNone && valid.empty() && folds == 0 &&
      !params.train_metric) {
    fail(ErrorKind::kUsage, "sample.adaptive needs --valid, or train_metric to watch");
  }
  make_objective(params.objective, 0);
  check_cleaning(*this);
  check_inputs(*this);
  check_files(*this);
}

}  // namespace glassrank::cli
