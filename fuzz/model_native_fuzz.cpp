// The bytes as a file, which the checksum nearly always refuses, and as the content of a file with
// the right checksum.

#include <fmt/format.h>

#include "fuzz/model_fuzz.h"
#include "glassrank/base/random.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace glassrank;
  const std::string_view text = as_text(data, size);
  const std::string sealed = std::string(text) + fmt::format("checksum {:016x}\n", hash_name(text));
  for (const std::string_view file : {text, std::string_view(sealed)}) {
    fuzz_model_reader(
        file, [](std::string_view bytes) { return read_native(bytes); },
        [](const Model& model) { return write_native(model); });
  }
  return 0;
}
