// What most tests include, compiled once.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cmake/engine_headers.h"
