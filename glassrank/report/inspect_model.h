#pragma once
// What is in a model: its kind's own report, how it came to be, what it uses most. The result of
// `glassrank inspect`.

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/importance_report.h"
#include "glassrank/explain/importance_table.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/kind_report.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

struct InspectRequest {
  std::string model;               // its file, for messages
  const Dataset* data = nullptr;   // for permutation importance and weights of cells
  std::set<ImportanceKind> kinds;  // wanted; empty: all there are
  bool has_importance = true;      // false: leave it out
  std::vector<std::size_t> trees;  // to show
  std::size_t top = 20;            // features, effects or weights to list; 0: all
  std::string plots;               // folder for pictures of effects; empty: none
  PermutationParams permutation = {};
  Convention convention = {};
};

struct InspectReport {
  std::string model;
  std::string format;
  std::string format_doc;
  Provenance provenance;
  std::unique_ptr<KindReport> kind;  // null: a black box, or to be described only
  Importance importance;
  std::size_t top = 0;
  std::size_t num_plots = 0;  // pictures written

  void visit(ResultVisitor& visitor) const;
};

// Throws Error{kUsage}: a tree that is not there, gains or splits of a model without trees,
// pictures of a model that is not additive; Error{kInput} for gains that the file does not hold.
InspectReport inspect_model(const LoadedModel& loaded, const InspectRequest& request,
                            const Context& context);

// A ranker of which only scores are known, with request.data: its permutation importance. Throws
// Error{kUsage} without data or when anything else is asked for.
InspectReport inspect_black_box(const Scorer& scorer, const InspectRequest& request,
                                const Context& context);

// For people.
std::string inspect_text(const InspectReport& report);

}  // namespace glassrank
