#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "cli/arguments.h"
#include "cli/registry.h"

namespace glassrank::cli {
namespace {

const ParamInfo* find(const std::vector<ParamInfo>& infos, const std::string& name) {
  const auto found = std::ranges::find(infos, name, &ParamInfo::name);
  return found == infos.end() ? nullptr : &*found;
}

void check_uses(Command& command) {
  const std::vector<ParamInfo> infos = all_options(command);
  for (const ParamUse& use : command.uses()) {
    EXPECT_NE(find(infos, use.name), nullptr) << command.name() << " " << use.name;
    const ParamInfo* needed = find(infos, use.needs);
    ASSERT_NE(needed, nullptr) << command.name() << " " << use.needs;
    for (const std::string_view value : use.values) {
      if (needed->choices.empty()) continue;
      EXPECT_NE(std::ranges::find(needed->choices, value), needed->choices.end()) << value;
    }
  }
}

void check_names(Command& command, const std::string& selection) {
  std::set<std::string> names;
  for (const ParamInfo& info : all_options(command)) {
    EXPECT_TRUE(names.insert(info.name).second)
        << command.name() << " " << selection << ": " << info.name;
  }
}

TEST(OptionUses, NoTwoOptionsHaveOneName) {
  for (const auto& command : all_commands()) {
    check_names(*command, "");
    for (const std::string& selection : command->selections()) {
      command->select(selection);
      check_names(*command, selection);
    }
  }
}

// A misspelt line would refuse nothing.
TEST(OptionUses, NameOptionsOfTheCommand) {
  for (const auto& command : all_commands()) {
    check_uses(*command);
    for (const std::string& selection : command->selections()) {
      command->select(selection);
      check_uses(*command);
    }
  }
}

}  // namespace
}  // namespace glassrank::cli
