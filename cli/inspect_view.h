#pragma once
// What `glassrank inspect` says of a model by its kind: the size and trees of a forest, the effects
// of an additive model. Everything else is the same for all of them (inspect.cpp).
// Include only from sources (base/json.h).

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/json.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/model.h"

namespace glassrank::cli {

struct ViewRequest {
  std::span<const std::string> names;  // one per feature
  const std::optional<Dataset>& data;  // gives the cells of tables their weights
  std::span<const std::size_t> trees;  // to show
  std::size_t top = 20;                // effects to list; 0: all
  std::string plots;                   // folder for pictures of effects; empty: none
};

struct KindView {
  std::string objective;
  std::vector<std::vector<std::string>> lines;  // of the summary: name and value
  Json facts = Json::object();                  // the same for a program
  std::string parts;  // trees or effects for people, each behind a blank line
  Json part_facts = Json::object();
};

// Writes the pictures that are asked for.
KindView view_of(const Model& model, const ViewRequest& request, const Context& context);

}  // namespace glassrank::cli
