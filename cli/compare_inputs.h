#pragma once
// Where `glassrank compare` takes its systems from: per-query files; models, scores or features on
// a data file; or TREC runs; as values of every system on the same queries.
//
// A system is named by its file without folder and endings, or by its feature. Files that would
// share a name keep their whole path. Runs are compared on all judged queries: one that a run does
// not have counts as having retrieved nothing, since a paired test needs the same queries for all.

#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/metrics/compare.h"
#include "glassrank/metrics/convention.h"

namespace glassrank::cli {

struct SystemsToCompare {
  std::vector<std::string> names;
  std::vector<SystemValues> metrics;
  std::string convention;  // empty: the values were given, not computed here
};

class CompareInputs {
 public:
  void visit(ParamVisitor& visitor);
  // Throws Error{kUsage} when the options do not fit together.
  SystemsToCompare load(const Context& context) const;

 private:
  void check() const;
  SystemsToCompare load_per_query() const;
  SystemsToCompare load_dataset_systems(const Context& context) const;
  SystemsToCompare load_runs(const Context& context) const;

  std::vector<std::string> metrics_;
  std::vector<std::string> per_query_;
  std::string data_;
  std::vector<std::string> models_;
  std::vector<std::string> scores_;
  std::vector<std::string> features_;
  std::vector<std::string> runs_;
  std::string qrels_;
  ConventionChoice convention_;
  ReadParams read_;
};

// "results/bm25.run.gz" -> "bm25"; files that share a name keep their path.
std::vector<std::string> names_of_files(std::span<const std::string> paths);

}  // namespace glassrank::cli
