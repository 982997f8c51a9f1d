#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/models/io/native.h"
#include "testing/message_of.h"
#include "testing/model_bodies.h"
#include "testing/random_gams.h"

namespace glassrank {
namespace {

std::string problem_of(const std::string& lines) {
  const std::string text = fmt::format(
      "glassrank model 1\nprovenance 0\nbody gam\nobjective \nintercept 1\nfeatures 2\n{}", lines);
  return message_of(
      [&] { read_native(text + fmt::format("checksum {:016x}\n", hash_name(text))); });
}

TEST(NativeGam, IsOneLinePerCell) {
  GamEffect curve{.axes = {{.feature = 1, .edges = {0.1F, 2}}},
                  .values = {1, -0.5, 3, 0},
                  .errors = {.1, .2, .3, .4},
                  .weights = {5, 6, 7, 0}};
  std::string text;
  write_native_body(text, Gam({.effects = {curve},
                               .num_features = 2,
                               .feature_names = {"a", "b"},
                               .intercept = 1.5,
                               .objective = "lambdarank"}));
  EXPECT_EQ(text,
            "objective lambdarank\nintercept 1.5\nfeatures 2 named\na\nb\neffects 1\n"
            "effect 1 errors weights\naxis 1 2\n0.1\n2\n"
            "1 0.1 5\n-0.5 0.2 6\n3 0.3 7\n0 0.4 0\n");
}

TEST(NativeGam, ComesBackToTheBit) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const Model model{.body = GamMaker(seed).gam({}), .provenance = {{"edit.1", "drop a"}}};
    const std::string text = write_native(model);
    const Model read = read_native(text);
    RC_ASSERT(gam_of(read).parts() == gam_of(model).parts());
    RC_ASSERT(read.provenance == model.provenance);
    RC_ASSERT(write_native(read) == text);
  }));
}

TEST(NativeGam, SaysWhereTheContentIsWrong) {
  EXPECT_EQ(problem_of("effects 1\naxis 1\n"), "line 8: 'effect ...' is expected here");
  EXPECT_EQ(problem_of("effects 1\neffect 3\n"), "line 8: an effect has one or two features");
  EXPECT_EQ(problem_of("effects 1\neffect 1 colours\n"),
            "line 8: 'colours' must be errors or weights");
  EXPECT_EQ(problem_of("effects 1\neffect 1\neffect 1\n"), "line 9: 'axis ...' is expected here");
  EXPECT_EQ(problem_of("effects 1\neffect 1\naxis 0 99\n"),
            "line 9: 99 lines cannot follow in the 0 bytes left");
  EXPECT_EQ(problem_of("effects 1\neffect 1\naxis 0 1\nx\n"), "line 10: 'x' is not a number");
  EXPECT_EQ(problem_of("effects 1\neffect 1\naxis 0 1\n5\n1\n2\n"),
            "line 12: the model ends too early");
  EXPECT_EQ(problem_of("effects 1\neffect 1\naxis 0 0\n1\n2 3\n"), "line 11: the line is too long");
  EXPECT_EQ(problem_of("effects 1\neffect 1 errors\naxis 0 0\n1 1\n200\n"),
            "line 11: the line is too short");
  EXPECT_EQ(problem_of("effects 1\neffect 1\naxis 2 0\n1\n2\n"), "effect 0: feature 3 of 2");
}

}  // namespace
}  // namespace glassrank
