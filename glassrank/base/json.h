#pragma once
// JSON values that keep the order in which keys were added, so that output is stable.
// Include this, not the library behind it, and only from sources: it is slow to compile.

#include <nlohmann/json.hpp>

#include "glassrank/base/json_fwd.h"
