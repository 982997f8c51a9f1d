// The main function of every test program. GLASSRANK_SIMD=plain|sse4|avx2|avx3 runs its tests with
// these instructions at most, as the variable does for the program.

#include <cstdlib>

#include <gtest/gtest.h>

#include "glassrank/base/simd.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const char* name = std::getenv("GLASSRANK_SIMD")) {
    glassrank::limit_simd(glassrank::parse_simd_level(name));
  }
  return RUN_ALL_TESTS();
}
