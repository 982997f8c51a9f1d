#pragma once
// Which vector instructions the kernels use. Highway picks the best that the machine has; this is
// the door to have fewer, for tests, measurements and the question whether a result depends on it
// (it must not: docs/design/decisions.md).
//
//   plain  no vectors but those of every x86-64 processor
//   sse4   128 bits
//   avx2   256 bits
//   avx3   512 bits (AVX-512)

#include <string_view>
#include <vector>

namespace glassrank {

enum class SimdLevel { kPlain, kSse4, kAvx2, kAvx3 };

// Throws Error{kUsage} for a name that is none of the above.
SimdLevel parse_simd_level(std::string_view name);
std::string_view to_text(SimdLevel level);

// Those that this machine and this build have, ascending.
std::vector<SimdLevel> simd_levels();

// Kernels use no more than this from now on. For the start of a program or a test: no kernel may be
// running. Throws Error{kUsage} if the machine does not have it.
void limit_simd(SimdLevel level);

}  // namespace glassrank
