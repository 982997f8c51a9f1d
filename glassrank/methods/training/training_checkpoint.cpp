#include "glassrank/methods/training/training_checkpoint.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/data/io/checksum.h"
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

constexpr std::string_view kStateMagic = "glassrank training state 1\n";

struct SavedRun {
  TrainingState state;
  Provenance provenance;
};

std::string state_text(const std::string& bytes, const Provenance& run) {
  Json lines = Json::array();
  for (const auto& [key, value] : run) lines.push_back({key, value});
  const Json header = {{"provenance", std::move(lines)},
                       {"num_bytes", bytes.size()},
                       {"checksum", fmt::format("{:016x}", checksum(bytes))}};
  return fmt::format("{}{}\n{}", kStateMagic,
                     header.dump(-1, ' ', false, Json::error_handler_t::replace), bytes);
}

// `text` begins with kStateMagic.
SavedRun parse_state(std::string_view text, const std::string& path) {
  text.remove_prefix(kStateMagic.size());
  const std::size_t end = text.find('\n');
  const std::string bytes(end == std::string_view::npos ? "" : text.substr(end + 1));
  try {
    const Json header = Json::parse(text.substr(0, end));
    if (header.at("num_bytes") == bytes.size() &&
        header.at("checksum") == fmt::format("{:016x}", checksum(bytes))) {
      SavedRun saved{.state = bytes, .provenance = {}};
      for (const Json& line : header.at("provenance")) {
        saved.provenance.emplace_back(line.at(0).get<std::string>(), line.at(1).get<std::string>());
      }
      return saved;
    }
  } catch (const Json::exception&) {  // not as state_text writes it
  }
  fail(ErrorKind::kInput, "{} is damaged: its checksum does not fit", path);
}

SavedRun parse_run(std::string_view text, const std::string& path) {
  if (text.starts_with(kStateMagic)) return parse_state(text, path);
  Model saved = read_model_and_format(text, path).model;
  if (value_of(saved.provenance, kMark) == nullptr) {
    fail(ErrorKind::kInput, "{} is a model, but not a checkpoint", path);
  }
  return {.state = require_forest(saved, "a checkpoint"),
          .provenance = std::move(saved.provenance)};
}

}  // namespace

void save_checkpoint(const std::string& path, const TrainingState& state, const Provenance& run) {
  if (!state.trees) {
    write_text_file(path, state_text(state.bytes, run));
    return;
  }
  const Forest& all_trees = *state.trees;
  Provenance lines = {{std::string(kMark), fmt::format("{} trees", all_trees.trees().size())}};
  lines.insert(lines.end(), run.begin(), run.end());
  write_text_file(path, write_native({.body = all_trees, .provenance = std::move(lines)}));
}

std::optional<TrainingState> load_checkpoint(const std::string& path, const Provenance& run) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  return parse_checkpoint(read_text_file(path), path, run);
}

TrainingState parse_checkpoint(std::string_view bytes, const std::string& path,
                               const Provenance& run) {
  SavedRun saved = parse_run(bytes, path);
  const std::vector<std::string> found = differences(saved.provenance, run);
  if (!found.empty()) {
    fail(ErrorKind::kUsage, "{} is of another run: {}", path, fmt::join(found, "; "));
  }
  return std::move(saved.state);
}

}  // namespace glassrank
