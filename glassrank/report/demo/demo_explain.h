#pragma once
// The demo's explanations in words: one ranking and one pair of it.

#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/models/model.h"

namespace glassrank {

inline constexpr const char* kDemoSetExplainer = "greedy-cover-eps";

struct DemoExplanations {
  std::string query;
  std::string ranking;  // which features keep the order of the first test query
  std::string pair;     // why its first book is above its second
};

DemoExplanations explain_bookshop(const Bookshop& shop, const Model& model, const Context& context);

}  // namespace glassrank
