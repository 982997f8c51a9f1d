#include "glassrank/base/alike.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testing/machines.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using Machines = std::shared_ptr<const Communicator>;

// What machines say of the settings of each.
std::string message_for(const std::vector<std::vector<Setting>>& settings) {
  return message_of([&] {
    testing::on_machines(static_cast<int>(settings.size()), [&](const Machines& machines) {
      require_alike(*machines, settings[static_cast<std::size_t>(machines->rank())]);
    });
  });
}

TEST(RequireAlike, NamesTheMachineAndWhatItWasToldOtherwise) {
  const std::vector<Setting> usual = {{"method", "mart"}, {"num_leaves", "31"}, {"metric", ""}};
  EXPECT_EQ(message_for({usual, usual, usual}), "no error");
  EXPECT_EQ(message_for({usual, usual, {usual[0], {"num_leaves", "8"}, usual[2]}}),
            "machine 3 of 3 was told num_leaves = 8 where machine 1 was told num_leaves = 31; all "
            "must be told the same");
  EXPECT_EQ(message_for({usual, {usual[0], usual[1], {"metric", "map"}}}),
            "machine 2 of 2 was told metric = map where machine 1 was told metric = (nothing); all "
            "must be told the same");
  EXPECT_EQ(message_for({usual, {usual[0], usual[1]}}),
            "machine 2 of 2 was told nothing more where machine 1 was told metric = (nothing); all "
            "must be told the same");
}

TEST(GatherTexts, KeepsEveryTextOfEveryMachine) {
  testing::on_machines(3, [](const Machines& machines) {
    const std::vector<std::vector<std::string>> all = {
        {"", "a\n", std::string("b\0c", 3)}, {}, {"d"}};
    EXPECT_EQ(gather_texts(*machines, all[static_cast<std::size_t>(machines->rank())]), all);
  });
}

}  // namespace
}  // namespace glassrank
