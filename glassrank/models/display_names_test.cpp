#include "glassrank/models/display_names.h"

#include <array>

#include <gtest/gtest.h>

#include "glassrank/models/forest/forest.h"

namespace glassrank {
namespace {

TEST(DisplayNames, AreTheForestsThenTheDatasThenNumbers) {
  const Forest named({.trees = {}, .num_features = 2, .feature_names = {"a", "b"}});
  const Forest unnamed({.trees = {}, .num_features = 2});
  const std::array<std::string, 1> columns = {"x"};
  using Names = std::vector<std::string>;
  EXPECT_EQ(display_names(named, columns), (Names{"a", "b"}));
  EXPECT_EQ(display_names(unnamed, columns), (Names{"x", "feature 2"}));
  EXPECT_EQ(display_names(unnamed), (Names{"feature 1", "feature 2"}));
}

TEST(DisplayNames, HaveNoControlCharacters) {
  const Forest forest({.trees = {},
                       .num_features = 1,
                       .feature_names = {"a\nb\x1b[31m\x7f"
                                         "größe"}});
  EXPECT_EQ(display_names(forest).front(), "a?b?[31m?größe");
}

}  // namespace
}  // namespace glassrank
