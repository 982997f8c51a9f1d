#pragma once
// What a user asks to have explained, in words: which queries of the data, and in each of them the
// ranking, a document or a pair.
//
// Documents are told as find_document.h says; "all" is every document.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/explanation.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

struct TargetChoice {
  std::string query;              // its id; empty: the first
  std::string queries;            // instead: "all", or how many of the first
  std::string document;           // "all"; empty, as is the pair: the ranking
  std::vector<std::string> pair;  // two documents

  void visit(ParamVisitor& visitor);
  TargetKind kind() const;
  bool is_every_document() const { return document == "all"; }
  // Throws Error{kUsage} for choices that exclude each other.
  void check() const;
};

// Numbers of queries, ascending. Throws Error{kUsage} when there is none of that name.
std::vector<std::size_t> chosen_queries(const TargetChoice& choice, const Dataset& data);

// One target, or every document of the query, best first. `documents` are the names of the query's
// documents. Throws Error{kUsage} when there is no such document.
std::vector<Target> chosen_targets(const TargetChoice& choice, const ExplainedQuery& query,
                                   std::span<const std::string> documents);

}  // namespace glassrank
