#include "glassrank/base/simd.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include <hwy/highway.h>
#include <hwy/targets.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank {
namespace {

// Newer versions of Highway know more of them.
#ifdef HWY_SSE2
constexpr std::int64_t kSse4Targets = HWY_SSE2 | HWY_SSSE3 | HWY_SSE4;
#else
constexpr std::int64_t kSse4Targets = HWY_SSSE3 | HWY_SSE4;
#endif
#if defined(HWY_AVX3_SPR)
constexpr std::int64_t kAvx3Targets = HWY_AVX3 | HWY_AVX3_DL | HWY_AVX3_ZEN4 | HWY_AVX3_SPR;
#elif defined(HWY_AVX3_ZEN4)
constexpr std::int64_t kAvx3Targets = HWY_AVX3 | HWY_AVX3_DL | HWY_AVX3_ZEN4;
#else
constexpr std::int64_t kAvx3Targets = HWY_AVX3 | HWY_AVX3_DL;
#endif

struct Level {
  SimdLevel level;
  std::string_view name;
  std::int64_t targets;  // of Highway, beyond those of the levels below
};
constexpr std::array<Level, 4> kLevels = {{
    {SimdLevel::kPlain, "plain", HWY_SCALAR | HWY_EMU128},
    {SimdLevel::kSse4, "sse4", kSse4Targets},
    {SimdLevel::kAvx2, "avx2", HWY_AVX2},
    {SimdLevel::kAvx3, "avx3", kAvx3Targets},
}};

const Level& entry(SimdLevel level) { return *std::ranges::find(kLevels, level, &Level::level); }

// Of the machine, whatever was chosen before.
std::int64_t targets_of_machine() {
  hwy::SetSupportedTargetsForTest(0);
  return hwy::SupportedTargets();
}

void choose(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(targets);
}

}  // namespace

SimdLevel parse_simd_level(std::string_view name) {
  const auto found = std::ranges::find(kLevels, name, &Level::name);
  if (found != kLevels.end()) return found->level;
  std::vector<std::string> names;
  for (const Level& level : kLevels) names.emplace_back(level.name);
  throw Error(ErrorKind::kUsage, unknown_name_message("instruction set", name, names));
}

std::string_view to_text(SimdLevel level) { return entry(level).name; }

std::vector<SimdLevel> simd_levels() {
  const std::int64_t chosen = hwy::SupportedTargets();
  const std::int64_t machine = targets_of_machine();
  choose(chosen);
  std::vector<SimdLevel> levels;
  for (const Level& level : kLevels) {
    if (level.level == SimdLevel::kPlain || (level.targets & machine & HWY_TARGETS) != 0) {
      levels.push_back(level.level);
    }
  }
  return levels;
}

void limit_simd(SimdLevel level) {
  if (std::ranges::count(simd_levels(), level) == 0) {
    fail(ErrorKind::kUsage, "this machine has no {} instructions", to_text(level));
  }
  std::int64_t allowed = 0;
  for (const Level& lower : kLevels) {
    if (lower.level <= level) allowed |= lower.targets;
  }
  // What every machine has is no bit of its own: it is what is left.
  const std::int64_t targets = targets_of_machine() & allowed;
  choose(targets != 0 ? targets : HWY_STATIC_TARGET);
}

}  // namespace glassrank
