// Any bytes as the small languages of options: a metric, an edit, an amount of memory, the file of
// --groups. Each is an Error or something that, written again, reads back the same.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "glassrank/base/byte_size.h"
#include "glassrank/base/error.h"
#include "glassrank/explain/global/query_selection.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/models/gam/gam_edit.h"

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

Dataset three_queries() {
  DatasetParts parts;
  parts.features = Buffer<float>(3);
  for (float& value : parts.features.span()) value = 1;
  parts.grades = {0, 1, 2};
  parts.queries = QueryGroups({"1", "b", "c d"}, std::array<std::size_t, 3>{1, 1, 1});
  parts.schema = Schema::of_features({"1"});
  return Dataset(std::move(parts));
}

template <typename Parse>
void check_round_trip(Parse&& parse, std::string_view text) {
  decltype(parse(text)) read;
  try {
    read = parse(text);
  } catch (const Error&) {
    return;
  }
  const std::string written = to_text(read);
  require(to_text(parse(written)) == written);
}

void fuzz(std::string_view text) {
  static const Dataset data = three_queries();
  check_round_trip(parse_metric, text);
  check_round_trip(parse_edit, text);
  allow_errors([&] {
    const std::uint64_t size = parse_byte_size(text);
    require(parse_byte_size(byte_size_text(size)) == size);
  });
  allow_errors([&] {
    for (const QuerySelection& group : parse_query_groups(data, text, "f")) {
      require(!group.queries.empty() && group.queries.size() <= data.num_queries());
    }
  });
}

}  // namespace
}  // namespace glassrank

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  glassrank::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
