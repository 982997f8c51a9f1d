#pragma once
// A neural network as the body of a native model file.
//
//   objective TEXT
//   features N [named]           "named": N lines with the names follow
//   fills N                      N lines, one per feature; 0: missing values count as 0
//   layers N
//   layer OUTPUTS ACTIVATION     for each layer; then OUTPUTS lines
//   BIAS WEIGHT WEIGHT ...       one per output: its bias and a weight per input

#include <string>

#include "glassrank/models/io/native_text.h"
#include "glassrank/models/mlp/mlp.h"

namespace glassrank {

void write_native_mlp(std::string& out, const Mlp& mlp);

// Throws Error{kInput} "line N: ..." or what Mlp finds.
Mlp read_native_mlp(NativeReader& reader);

}  // namespace glassrank
