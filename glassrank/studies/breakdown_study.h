#pragma once
// The study `breakdown`: quality on queries with and without outliers, for several windows
// (breakdown.h).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/studies/breakdown.h"
#include "glassrank/studies/outlier_options.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {

struct BreakdownParams {
  std::string metric = "ndcg@10";
  DocumentType type = DocumentType::kAll;
  std::vector<double> starts = {};  // first trees of windows; empty: ten, evenly
  int end = 0;                      // last tree of the windows; 0: the base model's last
  std::uint64_t permutations = 100'000;
  OutlierOptions outliers = {};
  ConventionChoice convention = {};

  void visit(ParamVisitor& visitor);
  // Throws Error{kUsage} for what no data could make right.
  void check() const;
};

struct WindowQuality {
  std::size_t start = 0;
  GroupQuality with_outliers;
  GroupQuality without;

  void visit(ResultVisitor& visitor) const;
};

struct Breakdown {
  std::string metric;
  std::vector<std::string> models;  // the first is what the others are tested against
  std::size_t end = 0;              // of every window
  GroupQuality all;
  std::vector<WindowQuality> windows;

  void visit(ResultVisitor& visitor) const;
};

// `base` decides on outliers. Throws Error{kUsage} for fewer than two models and for windows beyond
// the base model's trees.
Breakdown study_breakdown(std::span<const NamedForest> models, const Forest& base,
                          const Dataset& data, const BreakdownParams& params,
                          const Context& context);
StudyTables study_tables(const Breakdown& breakdown);

}  // namespace glassrank
