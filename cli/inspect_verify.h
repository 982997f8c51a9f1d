#pragma once
// `glassrank inspect --verify`: the proof of what a model can depend on.

#include <string>

#include "cli/command.h"
#include "glassrank/models/model.h"

namespace glassrank::cli {

// Prints what verify_gam.h proves; then throws Error{kInput} if the model is not additive.
void inspect_verification(const std::string& file, const Model& model, Output& output);

}  // namespace glassrank::cli
