// Writes docs/reference from the declarations that also drive --help: what a user reads about a
// parameter is never typed twice. Usage: write_reference FOLDER.

#include <cstdio>
#include <exception>
#include <string>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/registry.h"
#include "glassrank/base/atomic_file.h"

namespace glassrank::cli {
namespace {

constexpr const char* kNotice =
    "<!-- Made by tools/generate_reference.py from the program itself; do not edit. -->\n\n";

std::string commands_page() {
  std::string text = kNotice;
  text +=
      "# Commands\n\nOptions are written `--name value` (underscores become dashes), or as "
      "`name = value` in a TOML file given with `--config`, or as `--set name=value`. The "
      "command line wins over the file, the file over the defaults.\n\n";
  for (const auto& command : all_commands()) {
    ParamLister lister;
    command->visit(lister);
    text += fmt::format("## glassrank {}\n\n{}\n\n", command->name(), command->summary());
    text += params_markdown(lister.infos) + "\n";
    if (command->examples().empty()) continue;
    text += "```\n";
    for (const std::string& example : command->examples()) text += example + "\n";
    text += "```\n\n";
  }
  text += "## Options of every command\n\n" + params_markdown(list_params(GlobalOptions{}));
  return text;
}

}  // namespace
}  // namespace glassrank::cli

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: write_reference FOLDER\n");
    return 2;
  }
  try {
    const std::string folder = argv[1];
    glassrank::write_text_file(folder + "/commands.md", glassrank::cli::commands_page());
  } catch (const std::exception& error) {
    fmt::print(stderr, "write_reference: {}\n", error.what());
    return 1;
  }
  return 0;
}
