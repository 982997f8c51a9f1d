#include "cli/file_check.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "cli/registry.h"

namespace glassrank::cli {
namespace {

template <typename Use>
void for_each_option(const Use& use) {
  for (const auto& command : all_commands()) {
    std::vector<std::string> selections = command->selections();
    if (selections.empty()) selections.emplace_back();
    for (const std::string& selection : selections) {
      if (!selection.empty()) command->select(selection);
      ParamLister lister;
      command->visit(lister);
      for (const ParamInfo& info : lister.infos) {
        SCOPED_TRACE(command->name() + " --" + info.name);
        use(info);
      }
    }
  }
}

// "FILE" is what --help makes of FileUse. Who writes it as a name has left the use out, and the
// file would not be checked.
TEST(FileCheck, EveryOptionThatIsAFileSaysWhetherItIsReadOrWritten) {
  for_each_option([](const ParamInfo& info) { EXPECT_NE(info.style.value_name, "FILE"); });
}

TEST(FileCheck, TheUsualNamesOfFilesAreFiles) {
  constexpr std::array<std::string_view, 6> kRead = {"data", "train", "valid",
                                                     "test", "model", "scores"};
  int num_seen = 0;
  for_each_option([&](const ParamInfo& info) {
    const bool is_choice = !info.choices.empty();  // compare has a --test of significance
    const bool is_file = std::ranges::find(kRead, info.name) != kRead.end() && !is_choice;
    if (is_file) {
      EXPECT_EQ(info.style.file, FileUse::kInput);
    }
    // A folder or a prefix is none; the command lists the files it stands for.
    if (info.name == "out" && info.style.value_name.empty()) {
      EXPECT_EQ(info.style.file, FileUse::kOutput);
    }
    num_seen += is_file ? 1 : 0;
  });
  EXPECT_GT(num_seen, 20);
}

}  // namespace
}  // namespace glassrank::cli
