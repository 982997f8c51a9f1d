#pragma once
// Every explainer by name.
//
// The command line, audits, the report and the Python package take explainers from this table and
// name none, so that a new one is in all of them at once.

#include <memory>
#include <span>
#include <string_view>

#include "glassrank/explain/explainer.h"

namespace glassrank {

struct ExplainerInfo {
  std::string_view name;
  std::string_view doc;
  std::unique_ptr<Explainer> (*make)();
};

// In the order in which they are listed.
std::span<const ExplainerInfo> explainer_table();

// With its defaults. Throws Error{kUsage} for an unknown name, with the nearest one.
std::unique_ptr<Explainer> make_explainer(std::string_view name);

}  // namespace glassrank
