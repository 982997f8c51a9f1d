// Any bytes as each of the files beside a data file: the readers either throw Error or give as much
// as was asked for. The first byte is that number.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/data/io/side_files.h"

namespace glassrank {
namespace {

void require(bool fact) {
  if (!fact) std::abort();
}

template <typename Call>
void allow_errors(Call&& call) {
  try {
    call();
  } catch (const Error&) {
    return;
  }
}

void fuzz(std::size_t count, std::string_view text) {
  allow_errors([&] {
    const QueryGroups queries = parse_query_counts(text, "f", count);
    require(queries.num_rows() == count);
    for (std::size_t q = 0; q < queries.num_queries(); ++q) require(queries.rows(q).size() > 0);
  });
  allow_errors([&] {
    const std::vector<float> weights = parse_weights(text, "f", count);
    require(weights.size() == count);
    for (const float weight : weights) require(std::isfinite(weight) && weight >= 0);
  });
  allow_errors([&] {
    const std::vector<std::string> names = parse_feature_names(text, "f", count);
    require(names.size() >= count);
    require(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  });
}

}  // namespace
}  // namespace glassrank

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  glassrank::fuzz(data[0], {reinterpret_cast<const char*>(data + 1), size - 1});
  return 0;
}
