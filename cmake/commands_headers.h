// What most commands include, compiled once.
#include "cmake/engine_headers.h"

#include <fmt/ostream.h>

#include "glassrank/base/json.h"
