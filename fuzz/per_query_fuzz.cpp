// Any bytes as a file of per-query values: the reader either throws Error or gives measures that
// have one value for each of their queries and align with themselves.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/metrics/per_query_file.h"

namespace glassrank {
namespace {

void require(bool fact) {
  if (!fact) std::abort();
}

void fuzz(std::string_view text) {
  PerQueryFile file;
  try {
    file = parse_per_query(text, "f");
  } catch (const Error&) {
    return;
  }
  require(!file.measures.empty());
  const std::array files = {file, file};
  const std::vector<SystemValues> aligned = align_per_query(files, {});
  require(aligned.size() == file.measures.size());
  for (std::size_t m = 0; m < aligned.size(); ++m) {
    const PerQueryFile::Measure& measure = file.measures[m];
    require(measure.queries.size() == measure.values.size());
    require(!measure.values.contains("all"));
    require(aligned[m].values.size() == 2);
    require(aligned[m].values[0].size() == measure.queries.size());
  }
}

}  // namespace
}  // namespace glassrank

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  glassrank::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
