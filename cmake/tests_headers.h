// What most tests include, compiled once.
#include "cmake/engine_headers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
