#pragma once
// The demo's explanations: one ranking and one pair of it, with a picture, and three explainers
// audited.

#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/models/model.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank::cli {

inline constexpr const char* kDemoSetExplainer = "greedy-cover-eps";
inline constexpr int kDemoAuditQueries = 10;

struct DemoExplanations {
  std::string query;
  std::string ranking;   // which features keep the order of the first test query
  std::string pair;      // why its first book is above its second
  Picture pair_picture;  // both, side by side
  std::string audit;     // the tables of an audit of three explainers
};

DemoExplanations explain_bookshop(const Bookshop& shop, const Model& model, const Context& context);

}  // namespace glassrank::cli
