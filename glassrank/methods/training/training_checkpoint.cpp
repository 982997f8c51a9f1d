#include "glassrank/methods/training/training_checkpoint.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/io/native.h"

namespace glassrank {
namespace {

constexpr std::string_view kMark = "checkpoint";
// Files may be moved or renamed: their digests say whether they are the same.
constexpr std::array<std::string_view, 3> kPlacesOfFiles = {"train", "valid", "start_model"};

const std::string* value_of(const Provenance& lines, std::string_view key) {
  const auto line = std::ranges::find(lines, key, &Provenance::value_type::first);
  return line == lines.end() ? nullptr : &line->second;
}

std::string shown(const std::string* value) {
  return value == nullptr ? "nothing" : fmt::format("'{}'", *value);
}

std::vector<std::string> differences(const Provenance& saved, const Provenance& now) {
  std::vector<std::string> found;
  const auto compare = [&](const std::string& key) {
    if (std::ranges::find(kPlacesOfFiles, key) != kPlacesOfFiles.end() || key == kMark) return;
    const std::string* before = value_of(saved, key);
    const std::string* after = value_of(now, key);
    if (before != nullptr && after != nullptr && *before == *after) return;
    found.push_back(fmt::format("{} was {} and is {}", key, shown(before), shown(after)));
  };
  for (const auto& [key, value] : now) compare(key);
  for (const auto& [key, value] : saved) {
    if (value_of(now, key) == nullptr) compare(key);
  }
  return found;
}

}  // namespace

void save_checkpoint(const std::string& path, const Forest& grown, const Provenance& run) {
  Provenance lines = {{std::string(kMark), fmt::format("{} trees", grown.trees().size())}};
  lines.insert(lines.end(), run.begin(), run.end());
  write_text_file(path, write_native({.body = grown, .provenance = std::move(lines)}));
}

std::optional<Forest> load_checkpoint(const std::string& path, const Provenance& run,
                                      const Context& context) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Model saved = load_model(path, context);
  if (value_of(saved.provenance, kMark) == nullptr) {
    fail(ErrorKind::kInput, "{} is a model, but not a checkpoint", path);
  }
  const std::vector<std::string> found = differences(saved.provenance, run);
  if (!found.empty()) {
    fail(ErrorKind::kUsage, "{} is of another run: {}", path, fmt::join(found, "; "));
  }
  return require_forest(saved, "a checkpoint");
}

}  // namespace glassrank
