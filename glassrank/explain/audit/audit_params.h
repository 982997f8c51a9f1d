#pragma once
// What is measured in an audit of explainers, and the measures' names.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/explain/audit/query_auditor.h"
#include "glassrank/explain/audit/similarity.h"
#include "glassrank/metrics/compare.h"

namespace glassrank {

struct SimilarityParams {
  ZeroPlaces zeros = ZeroPlaces::kEmpty;
  Signs signs = Signs::kAutomatic;
  DistanceScale distance = DistanceScale::kRaw;

  void visit(ParamVisitor& visitor);
};

struct AuditParams {
  int k = 5;                  // features that each explanation names
  std::vector<double> sizes;  // validity and top-k AUC at these numbers of features, too
  int queries = 0;            // drawn at random; 0: all
  int documents = 10;         // the first of each ranking that are compared with the truth; 0: all
  int seeds = 3;              // of sampled explainers
  int background_rows = 100;  // of preservation and deletion; 0: not measured
  AuditorParams auditor;
  SimilarityParams similarity;
  // All pairs of explainers.
  CompareParams compare = {.permutations = 20'000, .resamples = 1'000};

  void visit(ParamVisitor& visitor);
  // Throws Error{kUsage} when a value is out of range or more features are asked for than there
  // are.
  void check(std::size_t num_features) const;
  // The largest of k and sizes.
  std::size_t most_features() const;
};

struct Measure {
  std::string name;
  std::string doc;
  bool higher_is_better = true;
  bool is_of_documents = false;  // measured per document, then averaged over a query's documents
};

inline constexpr std::string_view kTruthMeasures[] = {"auc", "spearman", "euclidean"};

// Of rankings first, then of each truth, then those at other sizes.
std::vector<Measure> audit_measures(const AuditParams& params, std::span<const std::string> truths);
// "validity@3".
std::string at_size(std::string_view measure, std::size_t size);

}  // namespace glassrank
