#pragma once
// What `glassrank train` can be told, and which of it fits together.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/train/train_method.h"
#include "glassrank/base/params.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/methods/ebm/ebm.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/rankgam/rankgam.h"
#include "glassrank/methods/training/random_search.h"

namespace glassrank::cli {

struct TrainOptions {
  TrainMethod method = TrainMethod::kLambdamart;
  std::string train;
  std::string valid;
  std::string test;
  std::string out;
  std::string model_format = "native";
  bool tables = true;
  bool centre = true;
  std::string curve;
  std::string record;
  std::string dropped;
  std::string start_model;
  bool resume = false;
  int checkpoint_every = 50;
  int log_every = 10;
  int folds = 0;
  std::string from_lightgbm;
  std::string config;  // the file of --config, which stands for parameters and is none itself
  std::vector<std::string> given;  // on the command line, be it the default
  SearchParams search;
  LambdamartParams params;
  IlmartParams ilmart;  // settle() hands it over to params
  EbmParams ebm;
  RankgamParams rankgam;
  ReadParams read;

  void visit(ParamVisitor& visitor);

  // Once all options are read: makes params those of the method.
  void settle();

  // ebm and rankgam.
  bool is_treeless() const {
    return method == TrainMethod::kEbm || method == TrainMethod::kRankgam;
  }
  bool is_given(std::string_view name) const {
    return std::ranges::find(given, name) != given.end();
  }
  bool has_clean() const { return params.clean.method != CleanMethod::kNone; }
  bool has_search() const { return !search.ranges.empty(); }
  bool wants_checkpoints() const;  // says how often
  // Files beside the model.
  std::string checkpoint_file() const { return out + ".checkpoint"; }
  // Of the base model of cleaning.
  std::string base_checkpoint_file() const { return out + ".base.checkpoint"; }
  // Of the main effects of ILMART.
  std::string main_checkpoint_file() const { return out + ".main.checkpoint"; }
  std::string config_file() const { return out + ".toml"; }
  std::string trials_file() const { return out + ".trials.tsv"; }

  // Before anything is read: throws Error{kUsage} for options that exclude each other, are missing
  // or name an input as an output, Error{kIo} for outputs that cannot be written.
  void check() const;
};

}  // namespace glassrank::cli
