#pragma once
// What `glassrank explain` can be told: a ranker, data, what to explain, how, and where answers go.

#include <memory>
#include <string>
#include <vector>

#include "cli/subject_inputs.h"
#include "glassrank/base/params.h"
#include "glassrank/explain/explain_queries.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/target_choice.h"
#include "glassrank/report/explanation_plots/explanation_picture.h"

namespace glassrank::cli {

struct ExplainOptions {
  ExplainOptions();

  SubjectInputs inputs;
  TargetChoice choice;
  std::string method_name;
  std::unique_ptr<Explainer> method;  // of that name, with its parameters
  SessionParams session;

  std::string out;
  std::string tsv;
  std::string plot;
  PlotParams plot_params;
  int top = 10;

  void visit(ParamVisitor& visitor);
  // Whose parameters there are. Throws Error{kUsage} for an unknown name.
  void choose_method(const std::string& name);
  std::vector<ParamUse> uses() const;
  // Before anything is read: throws Error{kUsage} for options that exclude each other, are missing
  // or name an input as an output, Error{kIo} for outputs that cannot be written.
  void check() const;
};

}  // namespace glassrank::cli
