#pragma once
// What every fuzzer of a model reader does: bytes give an Error or a model that can be scored and
// written, and that comes back the same from our own format.

#include <array>
#include <cstdlib>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/models/io/native.h"
#include "glassrank/models/model.h"

namespace glassrank {

template <typename Read, typename Write>
void fuzz_model_reader(std::string_view bytes, Read&& read, Write&& write) {
  Model model;
  try {
    model = read(bytes);
  } catch (const Error&) {
    return;
  }
  const std::array row = {0.0F, 1.0F, -1.0F};
  const double score = score_row(model, row);
  const std::string text = write_native(model);
  const Model again = read_native(text);
  if (write_native(again) != text) std::abort();
  const double again_score = score_row(again, row);
  if (score != again_score && score == score) std::abort();
  try {
    write(model);
  } catch (const Error&) {
    return;  // more than the format can express
  }
}

inline std::string_view as_text(const unsigned char* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace glassrank
