#include "glassrank/methods/training/training_checkpoint.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/models/io/native.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

std::string path_of(const std::string& name) {
  return std::filesystem::path(::testing::TempDir()) / ("training_checkpoint_" + name);
}

Forest one_leaf() {
  return Forest(
      {.trees = {Tree{.nodes = {}, .leaf_values = {0.25}, .statistics = {}}}, .num_features = 2});
}

const Provenance kRun = {{"train", "a.txt"}, {"train.digest", "12"}, {"params.num_leaves", "31"}};

TEST(TrainingCheckpoint, ComesBackForTheSameRunWhereverItsFilesAre) {
  const std::string path = path_of("same");
  save_checkpoint(path, one_leaf(), kRun);
  Provenance moved = kRun;
  moved[0].second = "/elsewhere/a.txt";
  const auto state = load_checkpoint(path, moved);
  ASSERT_TRUE(state);
  EXPECT_TRUE(std::ranges::equal(state->trees->trees(), one_leaf().trees()));
  EXPECT_FALSE(load_checkpoint(path_of("none"), kRun));
}

TEST(TrainingCheckpoint, OfAnotherRunSaysEverythingThatDiffers) {
  const std::string path = path_of("other");
  save_checkpoint(path, one_leaf(), kRun);
  const Provenance other = {{"train.digest", "13"}, {"params.num_leaves", "64"}, {"seed", "1"}};
  EXPECT_EQ(message_of([&] { load_checkpoint(path, other); }),
            path +
                " is of another run: train.digest was '12' and is '13'; params.num_leaves was "
                "'31' and is '64'; seed was nothing and is '1'");
  EXPECT_EQ(message_of([&] { load_checkpoint(path, {{"train.digest", "12"}}); }),
            path + " is of another run: params.num_leaves was '31' and is nothing");
}

TEST(TrainingCheckpoint, IsNotAnyModelFile) {
  const std::string path = path_of("model");
  write_text_file(path, write_native({.body = one_leaf(), .provenance = kRun}));
  EXPECT_EQ(message_of([&] { load_checkpoint(path, kRun); }),
            path + " is a model, but not a checkpoint");
  write_text_file(path, "glassrank model 1\n");
  EXPECT_NE(message_of([&] { load_checkpoint(path, kRun); }).find(path), std::string::npos);
}

}  // namespace
}  // namespace glassrank
