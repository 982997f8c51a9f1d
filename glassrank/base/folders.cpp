#include "glassrank/base/folders.h"

#include <filesystem>
#include <system_error>

#include "glassrank/base/error.h"

namespace glassrank {

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  // A file of that name is no error to create_directories on every system.
  if (!error && !std::filesystem::is_directory(path)) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) fail(ErrorKind::kIo, "cannot make folder '{}': {}", path, error.message());
}

}  // namespace glassrank
