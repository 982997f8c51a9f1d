#pragma once
// The name of the JSON value (json.h), for headers that only pass one on: cheap to compile.

#include <nlohmann/json_fwd.hpp>

namespace glassrank {

using Json = nlohmann::ordered_json;

}  // namespace glassrank
