// Any bytes as a config file: the reader either throws Error or gives assignments with a name and a
// line of the text.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/base/params.h"

namespace glassrank {
namespace {

void fuzz(std::string_view text) {
  try {
    const auto num_lines = std::ranges::count(text, '\n') + 1;
    for (const ParamAssignment& assignment : parse_toml(text, "f")) {
      if (assignment.line < 1 || assignment.line > num_lines) std::abort();
    }
  } catch (const Error&) {
    return;
  }
}

}  // namespace
}  // namespace glassrank

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  glassrank::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
