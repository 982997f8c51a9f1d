#include "cli/same_file.h"

#include <filesystem>
#include <system_error>

#include "glassrank/base/error.h"

namespace glassrank::cli {

void refuse_same_file(const std::string& input, const std::string& out, const std::string& option,
                      const std::string& what) {
  // Devices may be both: reading and writing one terminal harms nothing.
  std::error_code error;
  if (!std::filesystem::is_regular_file(input, error)) return;
  if (!std::filesystem::equivalent(input, out, error)) return;
  fail(ErrorKind::kUsage, "{} {} is {} itself; give another name", option, out, what);
}

}  // namespace glassrank::cli
