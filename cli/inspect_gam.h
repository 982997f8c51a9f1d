#pragma once
// What `glassrank inspect` says of additive models: their effects and how much each matters,
// pictures of them, and the proof of what a model can depend on.

#include <cstddef>
#include <optional>
#include <string>

#include "cli/command.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {

struct GamInspection {
  std::string model;  // its file
  std::size_t top = 20;
  std::string plots;  // folder for pictures; empty: none
};

// The model's body must be a Gam; with data, its cells get the weights of the data's rows.
void inspect_gam(const GamInspection& inspection, const LoadedModel& loaded,
                 const std::optional<Dataset>& data, const Context& context, Output& output);

// Prints what verify_gam.h proves; then throws Error{kInput} if the model is not additive.
void inspect_verification(const std::string& file, const Model& model, Output& output);

// Parameters of training on one line, everything else on a line of its own.
std::string provenance_text(const Provenance& provenance);

}  // namespace glassrank::cli
