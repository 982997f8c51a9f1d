#pragma once
// For tests: a query of three documents and explanations of it whose numbers can be checked by eye.
//
//   document  bm25_title  price  in_stock  feature 4   score  grade
//   river            7.1   5.49         1    missing    2.31      3
//   sea              2.0     12         0          1    0.71      0
//   hill             2.0     12         1          2    0.71      1

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "glassrank/explain/explanation_view.h"

namespace glassrank::testing {

class ExampleQuery {
 public:
  ExampleQuery() {
    query_.id = "q7";
    query_.rows = {values_.data(), 3, 4};
    query_.scores = {2.31, 0.71, 0.71};
    query_.grades = grades_;
    query_.ranking = rank_documents(query_.scores);
    query_.ranks = {0, 1, 2};
  }
  ExampleQuery(const ExampleQuery&) = delete;
  ExampleQuery& operator=(const ExampleQuery&) = delete;

  const ExplainedQuery& query() const { return query_; }
  ExplanationNames names() const {
    return {.features = {"bm25_title", "price", "in_stock", "4"},
            .is_switch = {false, false, true, false},
            .documents = {"river", "sea", "hill"}};
  }

  // 0.51 + 1.3 + 0.6 + 0 - 0.1 = 2.31.
  static Explanation of_document() {
    return {.explainer = "tree-shap",
            .query = "q7",
            .target = Target::of_document(0),
            .value = 2.31,
            .base_value = 0.51,
            .attributions = {1.3, 0.6, 0, -0.1},
            .standard_errors = {},
            .features = {0, 1},
            .audit = {},
            .abstains = {}};
  }
  // 1.3 + 0.5 - 0.2 + 0 = 1.6.
  static Explanation of_pair() {
    Explanation pair = of_document();
    pair.target = Target::of_pair(0, 1);
    pair.value = 1.6;
    pair.base_value = 0;
    pair.attributions = {1.3, 0.5, -0.2, 0};
    return pair;
  }
  static Explanation of_ranking() {
    Explanation ranking = of_document();
    ranking.explainer = "greedy";
    ranking.target = Target::of_ranking();
    ranking.value = 1;
    ranking.base_value = 0;
    ranking.attributions = {};
    ranking.features = {0, 3};
    return ranking;
  }
  ExplanationView view(const Explanation& explanation) const {
    return view_explanation(explanation, query_, names());
  }

 private:
  std::vector<float> values_ = {
      7.1F, 5.49F, 1, std::numeric_limits<float>::quiet_NaN(), 2.0F, 12, 0, 1, 2.0F, 12, 1, 2};
  std::vector<float> grades_ = {3, 0, 1};
  ExplainedQuery query_;
};

}  // namespace glassrank::testing
