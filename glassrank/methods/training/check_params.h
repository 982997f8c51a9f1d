#pragma once
// The ranges of parameters that were set in code rather than read from text.

#include "glassrank/base/params.h"

namespace glassrank {

// Throws Error{kUsage} as reading the same values from a file would. Lists are not looked at.
template <Parameters P>
void check_params(const P& params) {
  P copy = params;
  for (const ParamInfo& info : list_params(params)) {
    if (!info.is_list) set_param(copy, info.name, {info.value});
  }
}

}  // namespace glassrank
