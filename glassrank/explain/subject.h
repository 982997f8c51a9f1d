#pragma once
// What is explained: a ranker and one of its rankings.
//
// A Subject is the ranker with the data that says what is usual. Explanations ask what a score
// would be if some features were not known; values from the background data then stand in for them.
// An ExplainedQuery is one query: its documents, their scores and their order. Both only borrow:
// what they point to must outlive them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/model.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

struct Subject {
  const Scorer& scorer;
  const Model* model = nullptr;  // of the scorer; nullptr: a black box, only its scores are known
  const Dataset& background;     // at least as wide as the scorer, at least one row

  std::size_t num_features() const { return scorer.num_features(); }
  // The model where its scores change in steps at known places (trees, tables); otherwise nullptr.
  const Model* step_model() const;
};

struct ExplainedQuery {
  std::size_t number = 0;  // of the query in its data: random draws depend on it, not on the order
                           // in which queries are explained
  std::string id;
  MatrixView<const float> rows;        // its documents; at least as wide as the scorer
  std::vector<double> scores;          // by the subject's scorer
  std::span<const float> grades;       // empty: not known
  std::vector<std::uint32_t> ranking;  // its documents, best first; equal scores keep their order
  std::vector<std::uint32_t> ranks;    // of each document, from 0

  std::size_t num_documents() const { return rows.num_rows(); }
};

// The documents of a query, best first; equal scores keep their order.
std::vector<std::uint32_t> rank_documents(std::span<const double> scores);

// Scores and ranks the documents of one query. Throws Error{kUsage} when the data is narrower than
// the scorer.
ExplainedQuery view_query(const Subject& subject, const Dataset& data, std::size_t query,
                          const Context& context);

// Throws Error{kUsage} when the background has no rows or fewer features than the scorer.
void check_subject(const Subject& subject);

}  // namespace glassrank
