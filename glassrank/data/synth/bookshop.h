#pragma once
// Searches in a book shop: a small ranking problem a person can read, with known truth.
//
// Invented books and searches, a few dozen named features (synth/bookshop_features.h), grades 0 to
// 4 from utility plus noise in fixed shares, already split by query. A share of the queries in the
// training and validation parts holds one or two wrongly judged books (wanted ones with grade 0,
// unfitting ones with grade 4): what data cleaning should find. The test part is judged right.
// Deterministic for a seed: the data set of `glassrank demo`.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

struct BookshopParams {
  int queries = 400;
  int documents_per_query = 25;
  int books = 3000;
  double noise = 0.35;
  double queries_with_mistakes = 0.4;

  void visit(ParamVisitor& visitor);
};

// A book whose given grade is wrong.
struct JudgingMistake {
  std::string part;  // "train" or "valid"
  std::string query;
  std::string document;
  std::size_t row = 0;  // within its part
  float given_grade = 0;
  float true_grade = 0;
  std::string reason;
};

struct Bookshop {
  Dataset train;
  Dataset valid;
  Dataset test;
  std::vector<JudgingMistake> mistakes;
  std::vector<float> thresholds;  // noisy utility from which grades 1, 2, 3, 4 are given
};

// Throws Error{kUsage} if there are fewer books than a query may need, or fewer than 3 queries. The
// context is asked whether to stop, nothing else.
Bookshop make_bookshop(const BookshopParams& params, std::uint64_t seed,
                       const Context& context = {});

// Features with role, effects as sampled curves, the two interactions, thresholds, mistakes.
std::string bookshop_truth_json(const Bookshop& shop);

}  // namespace glassrank
