#pragma once
// The smallest change of a document's features that lifts it above another document or into the
// first k of its ranking: "raise bm25_title from 2 to 3.1 and document X moves from rank 7 to 3".
//
// Only the document changes; the others keep their scores, so one score is to be passed. What may
// change, how far, and what it costs: limits.h. For forests and additive models up to three
// features are searched exactly (exact_search.h), more of them with a beam (beam_search.h), and so
// are lines, networks and black boxes, whose changes then go back between the values that were
// tried as far as the goal allows (contraction.h). Whatever is found has been scored by the ranker
// itself; values are then written with as few digits as keep them in their cell, for at most a
// twentieth of the change more, and scored again.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/explain/counterfactual/limits.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

enum class ChangeCost { kDistance, kCount };
template <>
struct EnumNames<ChangeCost> {
  static std::span<const std::pair<std::string_view, ChangeCost>> table();
};

struct CounterfactualParams {
  int max_features = 3;
  ChangeCost cost = ChangeCost::kDistance;
  LimitParams limits;
  int beam = 16;
  int values = 24;
  std::uint64_t max_steps = 200000;

  void visit(ParamVisitor& visitor);
};

struct CounterfactualGoal {
  std::uint32_t document = 0;          // that is to rise; its place in the query
  std::optional<std::uint32_t> above;  // the document to pass, or
  std::size_t top = 0;                 // the number of first places to get into
};

// What is known of the answer.
enum class Optimality {
  kAlready,     // the goal is reached as it is
  kProved,      // no smaller change of at most max_features features reaches the goal
  kBestFound,   // a smaller one may exist
  kImpossible,  // proved: no change of at most max_features features within the limits reaches it
  kNotFound,    // none was found; there may be one
};
std::string_view name_of(Optimality optimality);

struct FeatureChange {
  std::string feature;
  float from = 0;
  float to = 0;
  double cost = 0;  // in spreads of the feature
  // What the values are called where they are categories; empty elsewhere.
  std::optional<std::string> from_category = {};
  std::optional<std::string> to_category = {};

  void visit(ResultVisitor& visitor) const;
};

struct Counterfactual {
  std::string query;
  std::string document;
  std::string above;    // the document to pass; empty with `top`
  std::size_t top = 0;  // places to get into; 0 with `above`
  Optimality optimality = Optimality::kAlready;
  bool is_reached = false;
  std::size_t rank_before = 0;  // from 0
  std::size_t rank_after = 0;
  double score_before = 0;
  double score_after = 0;
  double score_to_pass = 0;
  double cost = 0;  // of all changes, in spreads
  // No change reaches the goal for less, where that is known.
  std::optional<double> least_cost;
  // That reach the goal; if it is not reached, those with the highest score that was found.
  std::vector<FeatureChange> changes;
  std::string text;  // all of it in plain words

  void visit(ResultVisitor& visitor) const;
};

// `documents` are the names of the query's documents. Throws Error{kUsage} for documents that the
// query does not have, a document above itself, a top of 0, and limits that cannot be read.
Counterfactual find_counterfactual(const Subject& subject, const ExplainedQuery& query,
                                   std::span<const std::string> documents,
                                   const CounterfactualGoal& goal,
                                   const CounterfactualParams& params, const Context& context);

// Fills `text` from the rest.
std::string counterfactual_text(const Counterfactual& result, const CounterfactualParams& params);

}  // namespace glassrank
