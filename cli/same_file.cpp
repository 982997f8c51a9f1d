#include "cli/same_file.h"

#include <filesystem>
#include <system_error>

#include "glassrank/base/error.h"

namespace glassrank::cli {

void refuse_same_file(const std::string& data, const std::string& out, const std::string& option) {
  // Devices may be both: reading and writing one terminal harms nothing.
  std::error_code error;
  if (!std::filesystem::is_regular_file(data, error)) return;
  if (!std::filesystem::equivalent(data, out, error)) return;
  fail(ErrorKind::kUsage, "{} {} is the data file itself; give another name", option, out);
}

}  // namespace glassrank::cli
