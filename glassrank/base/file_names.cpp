#include "glassrank/base/file_names.h"

#include <algorithm>
#include <filesystem>

namespace glassrank {
namespace {

std::string short_name(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  return name.stem().string();
}

}  // namespace

std::vector<std::string> names_of_files(std::span<const std::string> paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(short_name(path));
  const std::vector<std::string> shorts = names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::count(shorts, shorts[i]) > 1) names[i] = paths[i];
  }
  return names;
}

}  // namespace glassrank
