// Any bytes as LightGBM's train.conf: the import either throws Error or gives settings with names.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/methods/lambdamart/lightgbm_config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace glassrank;
  try {
    const ImportedConfig config =
        import_lightgbm_config({reinterpret_cast<const char*>(data), size});
    for (const ParamAssignment& setting : config.settings) {
      if (setting.name.empty()) std::abort();
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
