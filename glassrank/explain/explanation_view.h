#pragma once
// An explanation as a person or another program reads it: the numbers of an Explanation joined with
// the names, ranks, scores, grades and feature values of its query.
//
// The struct is what `glassrank explain --json` prints. Text (explanation_text.h), the TSV below
// and the pictures of report/explanation_plots are other views of it.
//
//   features   by amount of attribution, the largest first, equal ones in the model's order; those
//              with an attribution of 0 are left out. An explainer that gives no attributions names
//              the features it chose, best first.
//   gain       of a feature chosen step by step: what it adds to the value after those before it.
//   share      attribution / (value - base value): how much of what is explained the feature makes.
//              It may be negative or above 1; absent where value and base value are the same.
// Cost: features x log features for one explanation; a ranking looks at every value of its query.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/base/table.h"
#include "glassrank/explain/explanation.h"
#include "glassrank/explain/subject.h"
#include "glassrank/explain/subject_categories.h"

namespace glassrank {

// What explanations call features and documents.
struct ExplanationNames {
  std::vector<std::string> features;   // one per feature of the scorer
  std::vector<bool> is_switch;         // 0 and 1 are its only values: "off" and "on"
  std::vector<std::string> documents;  // of the query, one per document
  SubjectCategories categories = {};
};

// Names of the model, else of the data; switches are told from the background data.
ExplanationNames explanation_names(const Subject& subject, const Dataset& data);
// The names of the documents of one query of the data.
std::vector<std::string> document_names(const Dataset& data, std::size_t query);

struct ViewedDocument {
  std::string document;
  std::size_t rank = 0;  // from 1
  double score = 0;
  std::optional<double> grade;

  void visit(ResultVisitor& visitor) const;
};

struct ViewedFeature {
  std::size_t index = 0;
  std::string feature;
  bool is_chosen = false;             // one of Explanation::features
  bool is_switch = false;             // not in JSON: only how it is worded
  std::optional<double> value;        // in the document; NaN: missing
  std::optional<double> other_value;  // in the other document of a pair
  std::optional<double> low;          // of a ranking: smallest and largest value in the query;
  std::optional<double> high;         // NaN: missing in all documents
  std::optional<double> attribution;
  std::optional<double> standard_error;
  std::optional<double> share;
  std::optional<double> gain;
  // What the values are called where they are categories; of a ranking all that occur.
  std::optional<std::string> category;
  std::optional<std::string> other_category;

  void visit(ResultVisitor& visitor) const;
};

struct ViewedInteraction {
  std::size_t index = 0;
  std::size_t other_index = 0;
  std::string feature;
  std::string other;
  double attribution = 0;

  void visit(ResultVisitor& visitor) const;
};

struct ExplanationView {
  std::string explainer;
  std::string query;
  TargetKind target = TargetKind::kRanking;
  std::size_t num_documents = 0;  // of the query
  // The document, the two of the pair, or all of them, best first.
  std::vector<ViewedDocument> documents;
  std::string measure;  // what the value is, in words
  // For the summary, not in JSON: Explanation::base_words and value_sentence.
  std::string base_words;
  std::string value_sentence;
  double value = 0;
  double base_value = 0;
  std::vector<ViewedFeature> features;
  std::vector<ViewedInteraction> interactions;  // by amount, without zeros; empty if not asked for
  ExplanationAudit audit;
  std::optional<std::string> abstains;
  std::string summary;  // explanation_summary()

  void visit(ResultVisitor& visitor) const;
};

// `names.documents` are those of the query.
ExplanationView view_explanation(const Explanation& explanation, const ExplainedQuery& query,
                                 const ExplanationNames& names);

// What the features after the first `num_shown` give together; nothing when there are none of them.
struct OtherFeatures {
  std::size_t num_features = 0;
  double attribution = 0;
};
OtherFeatures other_features(const ExplanationView& view, std::size_t num_shown);

// A line per feature of every explanation, with all that is in the JSON but the audit numbers.
Table explanation_table(std::span<const ExplanationView> views);

}  // namespace glassrank
