#include "cli/file_check.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/shared_files.h"
#include "glassrank/data/io/side_files.h"

namespace glassrank::cli {
namespace {

namespace fs = std::filesystem;

void add_files(const ParamInfo& info, std::vector<NamedFile>& files) {
  const std::string name = info.style.alias.empty() ? info.name : std::string(info.style.alias);
  std::string option = info.style.positional ? name : "--" + name;
  std::ranges::replace(option, '_', '-');
  const std::vector<std::string> paths = info.is_list ? info.items : std::vector{info.value};
  for (const std::string& path : paths) {
    if (!path.empty()) files.push_back({option, path});
  }
}

// Standard input may be a file too.
std::string input_path(const std::string& path) { return path == "-" ? "/dev/stdin" : path; }

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) || followed_path(a) == followed_path(b);
}

// A name with wildcards stands for many files; of one that matches none reading will tell.
std::vector<std::string> files_of(const std::string& path) {
  try {
    return matching_files(path);
  } catch (const Error&) {
    return {path};
  }
}

// What is read: each file, and what stands beside it if it is data.
std::vector<NamedFile> with_side_files(const std::vector<NamedFile>& files) {
  std::vector<NamedFile> all;
  for (const NamedFile& file : files) {
    for (const std::string& path : files_of(file.path)) {
      all.push_back({fmt::format("the file of {}", file.option), path});
      for (SideFile& beside : SideFiles{path}.present()) {
        all.push_back(
            {fmt::format("the {} beside {}", beside.what, file.option), std::move(beside.path)});
      }
    }
  }
  return all;
}

}  // namespace

std::vector<NamedFile> side_files_of(const std::string& option, const std::string& path) {
  std::vector<NamedFile> files;
  for (SideFile& file : SideFiles{path}.all()) {
    files.push_back({fmt::format("the {} beside {}", file.what, option), std::move(file.path)});
  }
  return files;
}

void check_files(std::span<const ParamInfo> infos, const Command& command,
                 const std::string& config) {
  std::vector<NamedFile> inputs;
  std::vector<NamedFile> outputs;
  for (const ParamInfo& info : infos) {
    if (info.style.file == FileUse::kInput) add_files(info, inputs);
    if (info.style.file == FileUse::kOutput) add_files(info, outputs);
  }
  if (!config.empty()) inputs.push_back({"--config", config});
  inputs = with_side_files(inputs);
  for (NamedFile& file : command.files_beside()) outputs.push_back(std::move(file));
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (!is_regular_or_new(output->path)) continue;
    for (const NamedFile& input : inputs) {
      std::error_code error;
      const std::string path = input_path(input.path);
      if (!fs::is_regular_file(path, error) || !is_same_file(path, output->path)) continue;
      fail(ErrorKind::kUsage, "{} {} would overwrite {}; give another name", output->option,
           output->path, input.option);
    }
    for (auto other = outputs.begin(); other != output; ++other) {
      if (!is_same_file(other->path, output->path)) continue;
      fail(ErrorKind::kUsage, "{} and {} name the same file {}", output->option, other->option,
           output->path);
    }
  }
}

void check_reading(std::span<const ParamInfo> infos, std::span<const std::string> given) {
  for (const std::string prefix : {"", "read."}) {
    if (std::ranges::find(infos, prefix + "delimiter", &ParamInfo::name) == infos.end()) continue;
    ReadParams params;
    std::vector<NamedFile> inputs;
    for (const ParamInfo& info : infos) {
      if (info.name == prefix + "format") set_param(params, "format", {info.value});
      if (info.style.file == FileUse::kInput) add_files(info, inputs);
    }
    std::vector<std::string> paths;
    for (NamedFile& input : inputs) paths.push_back(std::move(input.path));
    refuse_unused(params, prefix, given, paths);
  }
}

}  // namespace glassrank::cli
