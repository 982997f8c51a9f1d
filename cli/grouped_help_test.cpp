#include "cli/grouped_help.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/registry.h"

namespace glassrank::cli {
namespace {

TEST(Shortened, EndsWhereAPartOfTheSentenceEnds) {
  EXPECT_EQ(shortened("share of the rows", 20), "share of the rows");
  EXPECT_EQ(shortened("stop after so many rounds; 0 never stops", 30), "stop after so many rounds");
  EXPECT_EQ(shortened("rows (or queries) that are drawn", 18), "rows (or ...");
  EXPECT_EQ(shortened("one two three four five", 14), "one two ...");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Of the selection, as it is without any option given.
std::string help_of(Command& command, const std::string& selection, bool shows_all) {
  command.select(selection);
  ParamLister lister;
  command.visit(lister);
  return to_text({.command = "glassrank " + command.name(),
                  .summary = command.summary(),
                  .examples = command.examples(),
                  .infos = lister.infos,
                  .shows_all = shows_all});
}

TEST(GroupedHelp, FitsAScreen) {
  for (const auto& command : all_commands()) {
    for (const std::string& selection : command->selections()) {
      const auto lines = lines_of(help_of(*command, selection, false));
      EXPECT_LE(lines.size(), command->name() == "train" ? 50U : 62U)
          << command->name() << " " << selection;
      for (const std::string& line : lines) EXPECT_LE(line.size(), kHelpColumns) << line;
    }
  }
}

TEST(GroupedHelp, HasEveryOptionWhenAsked) {
  for (const auto& command : all_commands()) {
    for (const std::string& selection : command->selections()) {
      const std::string all = help_of(*command, selection, true);
      const std::string few = help_of(*command, selection, false);
      ParamLister lister;
      command->visit(lister);
      for (const ParamInfo& info : lister.infos) {
        std::string name = info.name;
        std::ranges::replace(name, '_', '-');
        EXPECT_NE(all.find(info.style.positional ? name : "--" + name), std::string::npos) << name;
        if (info.section != "advanced") {
          EXPECT_NE(few.find(info.style.alias.size() > 1 ? info.style.alias : name),
                    std::string::npos)
              << name;
        }
      }
    }
  }
}

TEST(GroupedHelp, SaysWhatElseTheDefaultMayBe) {
  const ParamInfo info{
      .name = "n", .type = "int", .value = "100", .style = {.default_note = "9 on Sundays"}};
  const GroupedHelp help{.command = "glassrank x", .summary = "X", .infos = {&info, 1}};
  EXPECT_NE(to_text(help).find("(default 100; 9 on Sundays)"), std::string::npos);
}

TEST(GroupedHelp, OfTrainNamesTheColumns) {
  for (const auto& command : all_commands()) {
    if (command->name() != "train") continue;
    const std::string help = help_of(*command, "lambdamart", false);
    for (const char* option : {"--label", "--qid", "--read.categorical", "1000 with validation"}) {
      EXPECT_NE(help.find(option), std::string::npos) << option;
    }
  }
}

TEST(GroupedHelp, ShowsBothWaysOfAFlag) {
  ParamInfo info{.name = "train_metric", .value = "true", .doc = "also watch these"};
  info.is_flag = true;
  const GroupedHelp help{.command = "glassrank x", .summary = "X", .infos = {&info, 1}};
  EXPECT_NE(to_text(help).find("  --[no-]train-metric           also watch these\n"),
            std::string::npos);
}

}  // namespace
}  // namespace glassrank::cli
