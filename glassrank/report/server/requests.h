#pragma once
// What the API is asked and what it answers, declared once: reading and checking requests, JSON
// answers and /openapi.json all come from these visit() functions.
//
// Documents come with the request, or are those of a query of the data that the server was started
// with.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/explain/counterfactual/counterfactual.h"

namespace glassrank {

struct ScoreRequest {
  std::string query;

  void visit(ParamVisitor& visitor);
};

struct ExplainRequest {
  std::string query;
  std::string document;
  std::string explainer;
  bool audit = true;

  void visit(ParamVisitor& visitor);
};

struct PairRequest {
  std::string query;
  std::string document;
  std::string other;
  std::string explainer;
  bool audit = true;

  void visit(ParamVisitor& visitor);
};

struct CounterfactualRequest {
  std::string query;
  std::string document;
  std::string above;
  int top = 0;
  CounterfactualParams params;

  void visit(ParamVisitor& visitor);
};

struct ScoreAnswer {
  std::string model;
  std::string query;
  std::vector<std::string> documents;
  std::vector<double> scores;
  std::vector<std::uint32_t> ranks;

  void visit(ResultVisitor& visitor) const;
};

// A feature whose values are categories.
struct AnsweredCategories {
  std::string feature;
  std::vector<std::string> names;  // by code; empty: values are the codes

  void visit(ResultVisitor& visitor) const;
};

struct ModelAnswer {
  std::string name;
  std::string format;
  std::string kind;
  std::string size;
  std::size_t num_features = 0;
  std::vector<std::string> features;
  NamedTexts provenance;
  bool has_data = false;
  std::size_t num_queries = 0;
  std::vector<std::string> explainers;
  std::vector<AnsweredCategories> categories;

  void visit(ResultVisitor& visitor) const;
};

struct HealthAnswer {
  std::string status = "ok";
  std::string version;
  std::string page;  // "ready", "being made", "none", or why it cannot be made

  void visit(ResultVisitor& visitor) const;
};

struct ApiError {
  std::string kind;
  std::string message;

  void visit(ResultVisitor& visitor) const;
};
struct ErrorAnswer {
  ApiError error;

  void visit(ResultVisitor& visitor) const;
};

}  // namespace glassrank
