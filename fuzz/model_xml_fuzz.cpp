// RankLib and QuickRank: the first byte of their text tells them apart.

#include "fuzz/model_fuzz.h"
#include "glassrank/models/io/quickrank_xml.h"
#include "glassrank/models/io/ranklib.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace glassrank;
  const std::string_view text = as_text(data, size);
  const bool is_ranklib = text.starts_with('#');
  fuzz_model_reader(
      text,
      [&](std::string_view bytes) {
        return is_ranklib ? read_ranklib(bytes) : read_quickrank_xml(bytes);
      },
      [&](const Model& model) {
        return is_ranklib ? write_ranklib(model, {}) : write_quickrank_xml(model, {});
      });
  return 0;
}
