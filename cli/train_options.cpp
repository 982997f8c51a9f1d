#include "cli/train_options.h"

#include <utility>
#include <vector>

#include "cli/output_file.h"
#include "cli/same_file.h"
#include "glassrank/base/error.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

// Options of one training run mean nothing for many.
void refuse_with_many(const TrainOptions& options, const char* many) {
  const std::pair<const char*, bool> single[] = {{"--resume", options.resume},
                                                 {"--curve", !options.curve.empty()},
                                                 {"--start-model", !options.start_model.empty()}};
  for (const auto& [name, is_given] : single) {
    if (is_given) {
      fail(ErrorKind::kUsage, "{} is for one training run; it does not go with {}", name, many);
    }
  }
}

void check_files(const TrainOptions& options) {
  std::vector<std::pair<const char*, std::string>> outputs;
  if (!options.out.empty()) outputs.emplace_back("--out", options.out);
  if (!options.curve.empty()) outputs.emplace_back("--curve", options.curve);
  for (const auto& [option, path] : outputs) {
    for (const std::string& data : {options.train, options.valid, options.test}) {
      if (!data.empty()) refuse_same_file(data, path, option);
    }
    if (!options.start_model.empty()) {
      refuse_same_file(options.start_model, path, option, "the model to start from");
    }
    refuse_unwritable(path);
  }
  if (outputs.size() == 2 && outputs[0].second == outputs[1].second) {
    fail(ErrorKind::kUsage, "--out and --curve name the same file {}", options.out);
  }
}

}  // namespace

void TrainOptions::visit(ParamVisitor& visitor) {
  visitor.field("train", train, "training data", {.required = true, .value_name = "FILE"});
  visitor.field("valid", valid, "validation data: stops training", {.value_name = "FILE"});
  visitor.field("test", test, "test data: evaluated at the end", {.value_name = "FILE"});
  visitor.field("out", out, "model file to write; needed unless there are folds or a search",
                {.value_name = "FILE"});
  visitor.field("model_format", model_format, "format of the model file (glassrank list models)");
  visitor.field("curve", curve, "write the metrics of every round to this TSV file",
                {.value_name = "FILE"});
  visitor.field("start_model", start_model,
                "go on from this model, in any format: num_trees are added to its trees",
                {.value_name = "FILE"});
  visitor.field(
      "resume", resume,
      "go on from OUT.checkpoint, if it is there, to the model an uninterrupted run gives");
  visitor.field("checkpoint_every", checkpoint_every,
                "rounds between checkpoints in OUT.checkpoint; 0 writes one only when stopped",
                kNotNegative);
  visitor.field("log_every", log_every,
                "rounds between lines where standard error is no terminal; 0 for none",
                kNotNegative);
  visitor.field("folds", folds,
                "cross-validate by query in so many folds; with --out, then train on all data",
                kNotNegative);
  visitor.group("search", search);
  visitor.field("from_lightgbm", from_lightgbm,
                "take parameters from a LightGBM config; --config and options go before it",
                {.value_name = "FILE"});
  params.visit(visitor);
  visitor.group("read", read);
}

void TrainOptions::check() const {
  if (glassrank::model_format(model_format).write == nullptr) {
    fail(ErrorKind::kUsage, "models are not written as {}; see glassrank list models",
         model_format);
  }
  if (folds > 0 && !valid.empty()) {
    fail(ErrorKind::kUsage, "give --valid or --folds, not both");
  }
  if (has_search() && folds == 0 && valid.empty()) {
    fail(ErrorKind::kUsage, "--search needs --valid or --folds to compare by");
  }
  if (has_search()) refuse_with_many(*this, "--search");
  if (folds > 0) refuse_with_many(*this, "--folds");
  if (out.empty() && folds == 0 && !has_search()) {
    fail(ErrorKind::kUsage, "--out is required: model file to write");
  }
  if (out.empty() && !test.empty()) fail(ErrorKind::kUsage, "--test needs --out");
  stopping_name(params);  // metrics that exist
  make_sampler(params.sample);
  make_objective(params.objective, 0);
  check_files(*this);
}

}  // namespace glassrank::cli
