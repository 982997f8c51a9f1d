#include "glassrank/base/param_uses.h"

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

struct Sampling {
  std::string method = "none";
  double top = 0.2;
  int least_rows = 0;
  std::string file;
  bool checks = false;
  std::vector<std::string> systems = {"full"};
  void visit(ParamVisitor& visitor) {
    visitor.field("method", method, "m");
    visitor.field("top", top, "t");
    visitor.field("least_rows", least_rows, "l");
    visitor.field("file", file, "f");
    visitor.field("checks", checks, "c");
    visitor.field("systems", systems, "s");
  }
};

struct Params {
  Sampling sample;
  void visit(ParamVisitor& visitor) { visitor.group("sample", sample); }
};

const std::vector<ParamUse> kUses = {{"top", "method", {"goss", "selective", "high-low"}},
                                     {"least_rows", "top", {"0", "1"}},
                                     {"least_rows", "elsewhere", {"x"}},
                                     {"checks", "file"},
                                     {"systems", "checks"},
                                     {"method", "systems", {"full", "half"}},
                                     {.name = "file", .needs = "top", .excludes = true}};

std::string complaint(const Params& params, const std::vector<std::string>& given) {
  return message_of([&] { refuse_unused(kUses, "sample.", list_params(params), given); });
}

TEST(ParamUses, RefusesWhatIsGivenAndNotUsed) {
  EXPECT_EQ(complaint({}, {"sample.top"}),
            "--sample.top belongs to --sample.method goss, selective or high-low; here "
            "sample.method is none");
  EXPECT_EQ(complaint({}, {"sample.least_rows"}),
            "--sample.least-rows belongs to --sample.top 0 or 1; here sample.top is 0.2");
}

TEST(ParamUses, AsksWhetherAnotherOneIsGiven) {
  EXPECT_EQ(complaint({}, {"sample.checks"}),
            "--sample.checks belongs to --sample.file, which is not given");
  EXPECT_EQ(complaint({.sample = {.file = "x"}}, {"sample.checks"}), "no error");
  EXPECT_EQ(complaint({}, {"sample.systems"}),
            "--sample.systems belongs to --sample.checks; here sample.checks is false");
  EXPECT_EQ(complaint({.sample = {.checks = true}}, {"sample.systems"}), "no error");
}

TEST(ParamUses, LooksIntoLists) {
  EXPECT_EQ(complaint({.sample = {.systems = {"none", "half"}}}, {"sample.method"}), "no error");
  EXPECT_EQ(
      complaint({.sample = {.systems = {"none"}}}, {"sample.method"}),
      "--sample.method belongs to --sample.systems full or half; here sample.systems is none");
}

TEST(ParamUses, RefusesWhatDoesNotGoWithAnother) {
  EXPECT_EQ(complaint({}, {"sample.file"}), "--sample.file does not go with --sample.top");
  EXPECT_EQ(complaint({.sample = {.top = 0}}, {"sample.file"}), "no error");
}

TEST(ParamUses, LetsPassWhatIsUsedOrNotGiven) {
  EXPECT_EQ(complaint({}, {"top", "sample.method"}), "no error");
  EXPECT_EQ(
      complaint({.sample = {.method = "goss", .top = 1}}, {"sample.top", "sample.least_rows"}),
      "no error");
}

}  // namespace
}  // namespace glassrank
