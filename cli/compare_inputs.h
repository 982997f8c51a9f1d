#pragma once
// Where `glassrank compare` takes its systems from: per-query files, or rankings
// (ranking_inputs.h); as values of every system on the same queries.
//
// Runs are compared on all judged queries: one that a run does not have counts as having retrieved
// nothing, since a paired test needs the same queries for all.

#include <string>
#include <vector>

#include "cli/ranking_inputs.h"
#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/evaluate_systems.h"

namespace glassrank::cli {

class CompareInputs {
 public:
  void visit(ParamVisitor& visitor);
  std::vector<ParamUse> uses() const { return rankings_.uses(); }
  // Throws Error{kUsage} when the options do not fit together.
  SystemsToCompare load(const Context& context) const;

 private:
  void rename(SystemsToCompare& systems) const;
  SystemsToCompare load_rankings(const Context& context) const;

  std::vector<std::string> metrics_;
  std::vector<std::string> per_query_;
  std::vector<std::string> names_;
  RankingInputs rankings_;
  ConventionChoice convention_;
};

}  // namespace glassrank::cli
