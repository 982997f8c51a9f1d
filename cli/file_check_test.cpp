#include "cli/file_check.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/registry.h"
#include "glassrank/base/atomic_file.h"

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

// They are killed and meet full disks and failing calls in tests/faults and tests/interruption.
TEST(FileCheck, EveryCommandThatWritesIsTestedUnderFaults) {
  const std::filesystem::path root = std::filesystem::path(__FILE__).parent_path().parent_path();
  const std::string tested = read_text_file((root / "tests" / "faults" / "faults.py").string());
  std::set<std::string> writing;
  for (const auto& command : all_commands()) {
    ParamLister lister;
    command->visit(lister);
    const bool writes = std::ranges::any_of(lister.infos, [](const ParamInfo& info) {
      return info.style.file == FileUse::kOutput || info.name == "out";
    });
    if (writes) writing.insert(command->name());
  }
  EXPECT_GT(writing.size(), 20U);
  for (const std::string& name : writing) {
    EXPECT_NE(tested.find(fmt::format("\"{} ", name)), std::string::npos)
        << name << " is not among COMMANDS of tests/faults/faults.py";
  }
}

}  // namespace
}  // namespace glassrank::cli
