#pragma once
// What all machines of one task must have been told alike: method and parameters, as text.
//
// A machine that grows other trees than the rest would make other calls, or the same calls with
// numbers that mean something else. So settings are compared before the work begins.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/communicator.h"

namespace glassrank {

using Setting = std::pair<std::string, std::string>;  // name and value

// Collective. Throws Error{kUsage} on every machine for the first setting that another machine has
// otherwise than the first one.
void require_alike(const Communicator& communicator, std::span<const Setting> own);

// The texts of every machine, by rank. Collective.
std::vector<std::vector<std::string>> gather_texts(const Communicator& communicator,
                                                   std::span<const std::string> own);

}  // namespace glassrank
