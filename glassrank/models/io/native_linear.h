#pragma once
// A linear model as the body of a native model file.
//
//   objective TEXT
//   intercept NUMBER
//   features N [named]           "named": N lines with the names follow
//   weights N                    then N lines
//   WEIGHT FILL                  one per feature

#include <string>

#include "glassrank/models/io/native_text.h"
#include "glassrank/models/linear/linear.h"

namespace glassrank {

void write_native_linear(std::string& out, const Linear& linear);

// Throws Error{kInput} "line N: ..." or what Linear finds.
Linear read_native_linear(NativeReader& reader);

}  // namespace glassrank
