#include "cli/output_file.h"

#include <filesystem>
#include <system_error>

#include "glassrank/base/atomic_file.h"

namespace glassrank::cli {

void refuse_unwritable(const std::string& path) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(path, error);
  if (is_folder || is_regular_or_new(path)) const AtomicFile probe(path);
}

bool is_regular_or_new(const std::string& path) {
  std::error_code error;
  return !std::filesystem::exists(path, error) || std::filesystem::is_regular_file(path, error);
}

}  // namespace glassrank::cli
