// Any bytes as the body of a request: the reader either throws Error or agrees with a full JSON
// parser about what is in it.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/report/server/request_body.h"

namespace glassrank {
namespace {

void compare(const RequestDocuments& documents, const Json& slow, std::size_t num_features) {
  if (slow.size() != documents.num_rows) std::abort();
  if (documents.values.size() != documents.num_rows * num_features) std::abort();
  for (std::size_t row = 0; row < documents.num_rows; ++row) {
    const Json& features = slow[row]["features"];
    if (!features.is_array()) continue;
    for (std::size_t f = 0; f < num_features; ++f) {
      const float value = documents.values[row * num_features + f];
      if (features[f].is_null() ? !std::isnan(value)
                                : value != static_cast<float>(features[f].get<double>()) &&
                                      value != std::stof(features[f].dump())) {
        std::abort();
      }
    }
  }
}

void fuzz(std::string_view text) {
  const std::vector<std::string> features = {"a", "b"};
  const RequestReader reader(features, 100);
  RequestBody body;
  try {
    body = reader.read_json(std::string(text));
  } catch (const Error&) {
    return;
  }
  // What the slow parser does not take (NaN, 007) is not compared.
  const Json slow = Json::parse(text, nullptr, false);
  if (!slow.is_object() || !body.documents) return;
  if (slow.contains("documents")) compare(*body.documents, slow["documents"], features.size());
}

}  // namespace
}  // namespace glassrank

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  glassrank::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
