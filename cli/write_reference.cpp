// Writes docs/reference from the declarations that also drive --help: what a user reads about a
// parameter is never typed twice. Usage: write_reference FOLDER, or write_reference --declarations:
// methods, samplers and cleaners with their parameters as JSON on standard output, from which
// tools/generate_python.py writes the classes of the Python package.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/registry.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/json.h"
#include "glassrank/methods/cleaners/clean_params.h"
#include "glassrank/methods/lambdamart/sample_params.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/pipeline.h"

namespace glassrank::cli {
namespace {

constexpr const char* kNotice =
    "<!-- Made by tools/generate_reference.py from the program itself; do not edit. -->\n\n";

std::vector<ParamInfo> options(Command& command) {
  ParamLister lister;
  command.visit(lister);
  return std::move(lister.infos);
}

// The options that every selection has, then those of each.
std::string options_of(Command& command) {
  const std::vector<std::string> selections = command.selections();
  if (selections.empty()) return params_markdown(options(command)) + "\n";
  std::map<std::string, std::size_t> counts;
  for (const std::string& selection : selections) {
    command.select(selection);
    for (const ParamInfo& info : options(command)) ++counts[info.name];
  }
  const auto part = [&](const std::string& selection, bool is_common) {
    command.select(selection);
    std::vector<ParamInfo> infos = options(command);
    std::erase_if(infos, [&](const ParamInfo& info) {
      return (counts[info.name] == selections.size()) != is_common;
    });
    return params_markdown(infos) + "\n";
  };
  std::string text = part(selections.front(), true);
  for (const std::string& selection : selections) {
    text += fmt::format("### --{} {}\n\n{}", command.selector(), selection, part(selection, false));
  }
  return text;
}

std::string commands_page() {
  std::string text = kNotice;
  text +=
      "# Commands\n\nOptions are written `--name value` (underscores become dashes), or as "
      "`name = value` in a TOML file given with `--config`, or as `--set name=value`. The "
      "command line wins over the file, the file over the defaults. An option of one value is "
      "given once: a second value is an error, not the one that counts.\n\n";
  for (const auto& command : all_commands()) {
    text += fmt::format("## glassrank {}\n\n{}\n\n", command->name(), command->summary());
    text += options_of(*command);
    if (command->examples().empty()) continue;
    text += "```\n";
    for (const std::string& example : command->examples()) text += example + "\n";
    text += "```\n\n";
  }
  text += "## Options of every command\n\n" + params_markdown(list_params(GlobalOptions{}));
  return text;
}

std::string results_page() {
  std::string text = kNotice;
  text +=
      "# Results\n\nWhat commands print with `--json`: one object with these keys, in this order. "
      "A dot leads into an object, `[]` into the entries of a list. A number that is not finite is "
      "`null`. Words: [vocabulary.md](../design/vocabulary.md).\n\n";
  for (const auto& command : all_commands()) {
    const std::string results = command->results();
    if (results.empty()) continue;
    text += fmt::format("## glassrank {}\n\n{}\n", command->name(), results);
  }
  text.pop_back();
  return text;
}

Json params_json(const std::vector<ParamInfo>& infos) {
  Json params = Json::array();
  for (const ParamInfo& info : infos) {
    Json param = {{"name", info.name},       {"type", info.type},
                  {"default", info.value},   {"doc", info.doc},
                  {"section", info.section}, {"range", range_text(info.range)},
                  {"choices", info.choices}, {"is_list", info.is_list}};
    if (info.is_list) param["default"] = info.items;
    params.push_back(std::move(param));
  }
  return params;
}

// The parameters of a group that one value of its `method` looks at.
template <typename Params>
Json part_json(const auto& info, std::span<const ParamUse> uses) {
  std::vector<ParamInfo> infos = list_params(Params{});
  std::erase_if(infos, [&](const ParamInfo& param) {
    if (param.name == "method") return true;
    for (const ParamUse& use : uses) {
      if (use.name != param.name || use.needs != "method") continue;
      return std::ranges::find(use.values, info.name) == use.values.end();
    }
    return false;
  });
  return {{"name", info.name}, {"doc", info.doc}, {"params", params_json(infos)}};
}

std::string declarations() {
  Json all = {{"methods", Json::array()}, {"samplers", Json::array()}, {"cleaners", Json::array()}};
  for (const MethodInfo& info : method_table()) {
    all["methods"].push_back({{"name", info.name},
                              {"doc", info.doc},
                              {"params", params_json(list_params(*make_pipeline(info.name)))}});
  }
  for (const SamplerInfo& info : sampler_table()) {
    if (info.name == "none") continue;
    all["samplers"].push_back(part_json<SampleParams>(info, sample_uses()));
  }
  for (const CleanerInfo& info : cleaner_table()) {
    all["cleaners"].push_back(part_json<CleanParams>(info, clean_uses()));
  }
  return all.dump(1) + "\n";
}

}  // namespace
}  // namespace glassrank::cli

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: write_reference FOLDER | --declarations\n");
    return 2;
  }
  try {
    const std::string folder = argv[1];
    if (folder == "--declarations") {
      fmt::print("{}", glassrank::cli::declarations());
      return 0;
    }
    glassrank::write_text_file(folder + "/commands.md", glassrank::cli::commands_page());
    glassrank::write_text_file(folder + "/results.md", glassrank::cli::results_page());
  } catch (const std::exception& error) {
    fmt::print(stderr, "write_reference: {}\n", error.what());
    return 1;
  }
  return 0;
}
