// Any bytes as gzip or zstd data: unpacking either throws Error or gives a text; and any bytes,
// packed by us, come back the same. Inputs are kept small enough that what a bomb unpacks to (about
// a thousand times its size for gzip) stays within the fuzzer's memory.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/data/io/compress.h"
#include "glassrank/data/io/decompress.h"

namespace glassrank {
namespace {

constexpr std::size_t kMaxInput = 4096;

void check_round_trip(std::string_view bytes, Compression compression, Packing packing,
                      const Context& context) {
  const std::string packed = compress(std::string(bytes), compression);
  if (packing_of(packed) != packing) std::abort();
  if (decompress(packed, packing, "f", context).view() != bytes) std::abort();
}

void fuzz(std::string_view bytes) {
  Context context;
  static const auto one_thread = std::make_shared<const Threads>(1);
  context.threads = one_thread;
  const Packing packing = packing_of(bytes);
  if (packing != Packing::kNone) {
    try {
      decompress(bytes, packing, "f", context);
    } catch (const Error&) {
    }
  }
  check_round_trip(bytes, Compression::kGzip, Packing::kGzip, context);
  check_round_trip(bytes, Compression::kZstd, Packing::kZstd, context);
}

}  // namespace
}  // namespace glassrank

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > glassrank::kMaxInput) return 0;
  glassrank::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
