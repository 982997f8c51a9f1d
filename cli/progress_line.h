#pragma once
// How far a task is, in one line that never wraps:
//   [482/3000] valid .9138 (best .9157 @322) 4s left
//   reading big.csv [120/900 MB] 7s left

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glassrank::cli {

struct ProgressState {
  std::string_view task;
  std::string_view unit;
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0: not known
  double seconds = 0;       // since the task began
  std::string_view detail;
};

// At most `width` characters; 0: as many as it takes. The detail is cut first, so that the time
// left is seen.
std::string progress_line(const ProgressState& state, std::size_t width);

// "4s", "12min", "3h05".
std::string duration_text(double seconds);

}  // namespace glassrank::cli
