#include "cli/manual/command_options.h"

#include <algorithm>
#include <map>
#include <set>

#include "cli/arguments.h"

namespace glassrank::cli {

std::vector<OptionGroup> option_groups(Command& command) {
  const std::vector<std::string> selections = command.selections();
  if (selections.empty()) return {{.selection = "", .options = all_options(command)}};
  std::map<std::string, std::size_t> counts;
  for (const std::string& selection : selections) {
    command.select(selection);
    for (const ParamInfo& info : all_options(command)) ++counts[info.name];
  }
  const auto part = [&](const std::string& selection, bool is_common) {
    command.select(selection);
    std::vector<ParamInfo> options = all_options(command);
    std::erase_if(options, [&](const ParamInfo& info) {
      return (counts[info.name] == selections.size()) != is_common;
    });
    return options;
  };
  std::vector<OptionGroup> groups = {{.selection = "", .options = part(selections.front(), true)}};
  for (const std::string& selection : selections) {
    groups.push_back({.selection = selection, .options = part(selection, false)});
  }
  return groups;
}

std::vector<ParamInfo> every_option(Command& command) {
  std::vector<ParamInfo> options;
  std::set<std::string> seen;
  for (OptionGroup& group : option_groups(command)) {
    for (ParamInfo& info : group.options) {
      if (seen.insert(info.name).second) options.push_back(std::move(info));
    }
  }
  return options;
}

}  // namespace glassrank::cli
