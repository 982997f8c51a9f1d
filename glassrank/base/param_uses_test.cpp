#include "glassrank/base/param_uses.h"

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

struct Sampling {
  std::string method = "none";
  double top = 0.2;
  int least_rows = 0;
  void visit(ParamVisitor& visitor) {
    visitor.field("method", method, "m");
    visitor.field("top", top, "t");
    visitor.field("least_rows", least_rows, "l");
  }
};

struct Params {
  Sampling sample;
  void visit(ParamVisitor& visitor) { visitor.group("sample", sample); }
};

const std::vector<ParamUse> kUses = {{"top", "method", {"goss", "selective", "high-low"}},
                                     {"least_rows", "top", {"0", "1"}},
                                     {"least_rows", "elsewhere", {"x"}}};

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

TEST(ParamUses, LetsPassWhatIsUsedOrNotGiven) {
  EXPECT_EQ(complaint({}, {"top", "sample.method"}), "no error");
  EXPECT_EQ(
      complaint({.sample = {.method = "goss", .top = 1}}, {"sample.top", "sample.least_rows"}),
      "no error");
}

}  // namespace
}  // namespace glassrank
