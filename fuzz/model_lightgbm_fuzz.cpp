#include "fuzz/model_fuzz.h"
#include "glassrank/models/io/lightgbm_text.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace glassrank;
  fuzz_model_reader(
      as_text(data, size), [](std::string_view text) { return read_lightgbm_text(text); },
      [](const Model& model) { return write_lightgbm_text(model); });
  return 0;
}
