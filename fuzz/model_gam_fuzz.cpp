#include "fuzz/model_fuzz.h"
#include "glassrank/models/io/gam_json.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace glassrank;
  fuzz_model_reader(
      as_text(data, size), [](std::string_view text) { return read_gam_json(text); },
      [](const Model& model) { return write_gam_json(model); });
  return 0;
}
