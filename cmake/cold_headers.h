// What most cold sources include, compiled once.
#include <fmt/ostream.h>

#include "cmake/engine_headers.h"
#include "glassrank/base/json.h"
