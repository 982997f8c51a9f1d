#include "glassrank/base/output_file.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "glassrank/base/atomic_file.h"

namespace glassrank {

void refuse_unwritable(const std::string& path) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(path, error);
  if (is_folder || is_regular_or_new(path)) const AtomicFile probe(path);
}

bool is_regular_or_new(const std::string& path) {
  std::error_code error;
  return !std::filesystem::exists(path, error) || std::filesystem::is_regular_file(path, error);
}

void write_text_files(std::span<const TextFile> files) {
  std::vector<std::unique_ptr<AtomicFile>> written;
  for (const TextFile& file : files) {
    if (file.path.empty()) continue;
    written.push_back(std::make_unique<AtomicFile>(file.path));
    written.back()->write(file.text);
    written.back()->finish();
  }
  for (const auto& file : written) file->commit();
}

}  // namespace glassrank
