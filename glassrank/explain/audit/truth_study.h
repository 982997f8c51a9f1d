#pragma once
// How well explainers recover the truth, where it is known (bookshop_truth.h).
//
// In each of some queries documents are taken evenly over the model's ranking, the first and the
// last among them. Four questions are asked:
//   document         what adds to its score                   truth: its contributions
//   pair             why is one above the next of them        truth: the difference of theirs
//   ranking          why this order                           truth: signed sum over the first 5
//   ranking, spread  the same answers, whatever their sign    truth: mean over the query's
//   documents
//                                                             of |contribution - query's mean|
// The last one is what orders documents: it does not depend on which of them come first. Answers
// are compared with Pearson's and Spearman's correlation over all features and with the share of
// the true top k among the features the explainer puts first. Means and standard errors are over
// queries, of all shops together. Explainers that only name features have the last number only.
// Whether explainers differ in Pearson's correlation is tested query by query (metrics/compare.h),
// p corrected over the pairs of explainers of a question.
//
// The model is not the truth: an explainer can be no better than what the model has learned.
// `model_agreement`, Spearman's correlation of score and utility within queries, says how much that
// is.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/base/table.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/metrics/compare.h"

namespace glassrank {

struct TruthParams {
  int queries = 40;
  int documents = 5;
  int k = 5;
  AggregationParams aggregation;
  CompareParams compare = {.permutations = 20'000, .resamples = 1'000};

  void visit(ParamVisitor& visitor);
};

// A shop's ranker and the queries that are explained. Nothing is owned.
struct TruthShop {
  const Subject& subject;
  const Dataset& data;
};

struct NamedExplainer {
  std::string label;
  Explainer* explainer = nullptr;
};

// Over queries; nothing where no query has a number.
struct MeanOverQueries {
  std::optional<double> mean;
  std::optional<double> error;  // of the mean
  std::size_t num_queries = 0;

  void visit(ResultVisitor& visitor) const;
};

// By query, of all shops in turn; NaN: has no number.
struct TruthNumbers {
  std::vector<double> pearson;
  std::vector<double> spearman;
  std::vector<double> overlap;
};

struct TruthAgreement {
  std::string explainer;
  std::string question;
  MeanOverQueries pearson;
  MeanOverQueries spearman;
  MeanOverQueries top_overlap;
  bool is_best = false;          // by Pearson's correlation, of its question
  std::optional<double> p_best;  // corrected, of the difference to the best; absent for the best
  TruthNumbers numbers;          // not part of the JSON

  void visit(ResultVisitor& visitor) const;
};

struct TruthStudy {
  std::size_t num_shops = 0;
  std::size_t num_queries = 0;
  int k = 0;
  double model_agreement = 0;
  std::vector<TruthAgreement> agreements;  // explainers in their order, questions as above

  void visit(ResultVisitor& visitor) const;
};

// The first `queries` of each shop that have two documents or more. The explainers are prepared
// here. Throws Error{kUsage} when data or background are not the book shop's, Error{kInput} when no
// query has two documents.
TruthStudy study_truth(std::span<const TruthShop> shops, std::span<const NamedExplainer> explainers,
                       const TruthParams& params, const Context& context);

// A line per explainer and question.
Table truth_table(const TruthStudy& study);

// Pearson's correlation; nothing where one side is constant. Of as many numbers on both sides.
std::optional<double> pearson(std::span<const double> a, std::span<const double> b);

// Share of the k features with the largest true amounts (those that are not 0) that are among the
// first as many `features`. Nothing when the truth is 0 everywhere.
std::optional<double> top_overlap(std::span<const double> truth,
                                  std::span<const std::uint32_t> features, std::size_t k);

}  // namespace glassrank
