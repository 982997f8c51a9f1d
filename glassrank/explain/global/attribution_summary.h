#pragma once
// What matters in many rankings: attributions of single documents (SHAP values, or what a table
// adds) gathered over all documents, over chosen groups of queries, and for each query.
//
// Attributions say how a document comes to its score. A part of that is the same for all documents
// of a query and moves none of them: a feature of the query (its length) can have large
// attributions and no say in any ranking. So every number is given twice:
//   mean_amount         mean over documents of |phi|: what a summary plot orders by
//   mean_amount_within  mean over documents of |phi - mean of phi over the query's documents|:
//                       what orders the documents
// With each = query, every query counts the same, however many documents it has.
//
// Attributions come from a function, for blocks of whole queries; means are over all documents.
// Quantiles (for beeswarms) are over at most `quantile_documents` documents, drawn by the seed.
// Memory: a block and the drawn documents, times the features. The same bytes for any number of
// threads if the function's are.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/function_ref.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/base/table.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/global/query_selection.h"

namespace glassrank {

// Queries of the data from `first` up to `end`, and the rows of their documents.
struct QueryBlock {
  std::size_t first = 0;
  std::size_t end = 0;
  MatrixView<const float> rows;
};

// Writes what every feature adds to the score of every row; as many columns as features asked for.
using AttributionsOf = FunctionRef<void(const QueryBlock&, MatrixView<double>, const Context&)>;

enum class SummaryUnit { kDocument, kQuery };
template <>
struct EnumNames<SummaryUnit> {
  static std::span<const std::pair<std::string_view, SummaryUnit>> table();
};

struct SummaryParams {
  SummaryUnit each = SummaryUnit::kDocument;
  std::vector<double> quantiles = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
  int quantile_documents = 20000;

  void visit(ParamVisitor& visitor);
};

struct FeatureSummary {
  std::string feature;
  double mean = 0;  // of phi
  double mean_amount = 0;
  double mean_amount_within = 0;
  // Spearman's correlation of the feature's values and phi within the drawn documents: 1, the more
  // the better. NaN where one of them is the same everywhere.
  double direction = 0;
  std::vector<double> quantiles;         // of phi, as asked for
  std::vector<double> quantiles_within;  // of phi without the query's mean

  void visit(ResultVisitor& visitor) const;
};

struct GroupSummary {
  std::string name;
  std::size_t num_queries = 0;
  std::size_t num_rows = 0;
  std::vector<FeatureSummary> features;  // in the order of the model

  void visit(ResultVisitor& visitor) const;
};

struct AttributionSummary {
  SummaryParams params;
  GroupSummary all;
  std::vector<GroupSummary> groups;

  void visit(ResultVisitor& visitor) const;
};

struct SummaryTask {
  const Dataset& data;
  std::span<const std::string> features;  // names, one per feature of the model
  std::span<const QuerySelection> groups;
};

// Throws Error{kInput} for data without rows or attributions that are not finite, Error{kUsage} for
// a group without queries.
AttributionSummary summarise_attributions(const SummaryTask& task, AttributionsOf attributions,
                                          const SummaryParams& params, const Context& context);

// The features by what orders documents, most first; ties keep the model's order.
std::vector<std::size_t> features_by_amount_within(const GroupSummary& group);

// A line per group and feature, by amount within queries; `top` of each group, 0: all.
Table summary_table(const AttributionSummary& summary, std::size_t top);
// All of it, with queries, documents and quantiles.
Table summary_values(const AttributionSummary& summary);

}  // namespace glassrank
