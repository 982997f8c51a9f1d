#pragma once
// An additive model as the body of a native model file.
//
//   objective TEXT
//   intercept NUMBER
//   features N [named]           "named": N lines with the names follow
//   effects N
//   effect AXES [errors] [weights]      for each effect; what the lines of its cells carry
//   axis FEATURE EDGES                  for each axis; then EDGES lines, one per edge
//   VALUE [ERROR] [WEIGHT]              one line per cell, in the order of gam.h

#include <string>

#include "glassrank/models/gam/gam.h"
#include "glassrank/models/io/native_text.h"

namespace glassrank {

void write_native_gam(std::string& out, const Gam& gam);

// Throws Error{kInput} "line N: ..." or, from Gam, "effect E: ...".
Gam read_native_gam(NativeReader& reader);

}  // namespace glassrank
