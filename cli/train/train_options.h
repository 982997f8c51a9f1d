#pragma once
// What `glassrank train` can be told: files, what to do, and the parameters of the chosen method.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "glassrank/base/params.h"
#include "glassrank/methods/method.h"
#include "glassrank/methods/training/check_training.h"
#include "glassrank/methods/training/train_run.h"

namespace glassrank::cli {

struct TrainOptions {
  TrainOptions();

  std::string method_name = "lambdamart";
  std::unique_ptr<Method> method;  // of that name, with its parameters
  TrainFiles files;
  TrainPlan plan;
  int checkpoint_every = 50;
  int log_every = 10;
  std::string from_lightgbm;
  bool force = false;

  void visit(ParamVisitor& visitor);
  // Whose parameters there are. Throws Error{kUsage} for an unknown name.
  void choose_method(const std::string& name);

  // The present name of a parameter that older versions knew by another; empty: as it is. Throws
  // Error{kUsage} for one of another method.
  std::string present_name(const std::string& name) const;

  // Once everything is given: defaults that depend on the rest.
  void settle();
  // Before anything is read: throws Error{kUsage} for options that exclude each other, or are
  // missing, Error{kIo} for outputs that cannot be written.
  void check(const Context& context) const;
  // What is written beside --out: checkpoints, or what a search found.
  std::vector<NamedFile> files_beside() const;
  bool keeps_checkpoints() const;
};

}  // namespace glassrank::cli
