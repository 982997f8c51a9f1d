// SVMlight text: the fast reader must give what the plain one gives, data and errors alike, however
// the text is cut. The first byte chooses the chunk size and what absent means.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/data/io/svmlight/svmlight.h"
#include "glassrank/data/io/svmlight/svmlight_line.h"
#include "testing/svmlight_reference.h"

namespace {

using namespace glassrank;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "readers differ: %s\n", what);
  std::abort();
}

// A few bytes may stand for gigabytes of matrix; those are not for a fuzzer. Ids are looked for in
// plain text, whether or not they are where ids belong.
bool is_small(std::string_view text) {
  std::uint64_t largest = 0;
  std::uint64_t number = 0;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (c == ':' && number <= kMaxFeatureId) largest = std::max(largest, number);
    number = digit ? std::min<std::uint64_t>(number * 10 + (c - '0'), 1U << 30) : 0;
  }
  const auto num_lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n')) + 1;
  return num_lines * (largest + 1) < 4'000'000;
}

void require_same(const Dataset& a, const Dataset& b) {
  require(a.num_rows() == b.num_rows() && a.num_features() == b.num_features(), "size");
  require(std::ranges::equal(a.queries().ids(), b.queries().ids()), "query ids");
  require(std::ranges::equal(a.queries().offsets(), b.queries().offsets()), "query sizes");
  require(std::ranges::equal(a.feature_names(), b.feature_names()), "names");
  require(std::ranges::equal(a.grades(), b.grades()), "grades");
  require(a.table().has_grades == b.table().has_grades, "whether there are grades");
  require(a.document_ids().blob() == b.document_ids().blob(), "documents");
  require(std::ranges::equal(a.document_ids().offsets(), b.document_ids().offsets()), "documents");
  const std::size_t num_values = a.num_rows() * a.num_features();
  require(num_values == 0 || std::memcmp(a.features().data(), b.features().data(),
                                         num_values * sizeof(float)) == 0,
          "values");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  if (!is_small(text)) return 0;
  ReadParams params{.absent = (data[0] & 1) != 0 ? AbsentValue::kMissing : AbsentValue::kZero};
  params.may_lack_grades = (data[0] & 2) != 0;
  const std::size_t chunk_size = 1 + (data[0] >> 2);
  Context context;
  static const auto threads = std::make_shared<const Threads>(1);
  context.threads = threads;
  std::string plain_error;
  Dataset plain;
  try {
    plain = parse_svmlight_plainly(text, "f", params);
  } catch (const Error& error) {
    plain_error = error.message();
  }
  try {
    const Dataset fast = parse_svmlight(text, "f", params, context, chunk_size);
    require(plain_error.empty(), "only the plain reader refuses");
    require_same(fast, plain);
  } catch (const Error& error) {
    require(!plain_error.empty(), "only the fast reader refuses");
    // The plain reader does not tell why a whole file is no use.
    if (plain_error != "f: no rows with a qid") require(error.message() == plain_error, "errors");
  }
  return 0;
}
