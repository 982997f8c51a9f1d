// Any bytes as a score file: the reader either throws Error or gives as many numbers as were asked
// for, none of them NaN. The first byte is that number.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/data/io/scores.h"

namespace glassrank {
namespace {

void fuzz(std::size_t num_documents, std::string_view text) {
  try {
    const std::vector<double> scores = parse_scores(text, "f", num_documents);
    if (scores.size() != num_documents) std::abort();
    for (const double score : scores) {
      if (std::isnan(score)) std::abort();
    }
  } catch (const Error&) {
    return;
  }
}

}  // namespace
}  // namespace glassrank

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  glassrank::fuzz(data[0], {reinterpret_cast<const char*>(data + 1), size - 1});
  return 0;
}
