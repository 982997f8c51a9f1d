#include "glassrank/data/split_files.h"

#include <filesystem>
#include <set>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/data/synth/synthetic.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

class SplitFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = (std::filesystem::temp_directory_path() /
               fmt::format("split_files_{}_{}", ::getpid(),
                           ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                  .string();
    data_ = make_synthetic({.queries = 20}, Context{});
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  Dataset data_;
};

std::set<std::string> ids_of(const std::string& path) {
  const Dataset data = load_dataset(path, {}, Context{});
  const auto ids = data.queries().ids();
  return {ids.begin(), ids.end()};
}

TEST_F(SplitFiles, HoldEveryQueryOnceAndReadBackAsReported) {
  const SplitResult result = write_split(data_, {}, {.folder = folder_}, Context{});
  ASSERT_EQ(result.parts.size(), 3U);
  std::set<std::string> all;
  std::size_t num_rows = 0;
  for (const SplitPart& part : result.parts) {
    const Dataset read = load_dataset(part.out, {}, Context{});
    EXPECT_EQ(read.num_rows(), part.num_rows);
    EXPECT_EQ(read.num_queries(), part.num_queries);
    num_rows += part.num_rows;
    all.merge(ids_of(part.out));
  }
  EXPECT_EQ(result.parts[0].num_queries, 12U);  // 0.6 of 20
  EXPECT_EQ(num_rows, data_.num_rows());
  EXPECT_EQ(all.size(), 20U);
}

TEST_F(SplitFiles, AreThoseThatWereAnnounced) {
  for (const SplitParams& params :
       {SplitParams{}, SplitParams{.fractions = {0.5, 0.5}}, SplitParams{.folds = 3}}) {
    const SplitResult result = write_split(data_, params, {.folder = folder_}, Context{});
    std::vector<std::string> written;
    for (const SplitPart& part : result.parts) {
      written.push_back(part.out);
      EXPECT_TRUE(std::filesystem::exists(part.out));
    }
    EXPECT_EQ(split_paths(params, {.folder = folder_}), written);
  }
  EXPECT_EQ(split_paths({.fractions = {0.5, 0.5}}, {.folder = "a"}),
            (std::vector<std::string>{"a/train.txt", "a/test.txt"}));
  EXPECT_EQ(split_paths({.folds = 3}, {.folder = "a"})[4], "a/Fold2/valid.txt");
}

TEST_F(SplitFiles, TestEveryQueryInOneFold) {
  write_split(data_, {.folds = 3}, {.folder = folder_}, Context{});
  std::set<std::string> all;
  std::size_t num_tested = 0;
  for (const char* fold : {"/Fold1", "/Fold2", "/Fold3"}) {
    std::set<std::string> tested = ids_of(folder_ + fold + "/test.txt");
    num_tested += tested.size();
    all.merge(tested);
  }
  EXPECT_EQ(all.size(), 20U);
  EXPECT_EQ(num_tested, 20U);
}

TEST_F(SplitFiles, RefuseWhatContradictsItself) {
  EXPECT_EQ(message_of([&] {
              write_split(data_, {.fractions = {0.5, 0.5}, .folds = 3}, {.folder = folder_},
                          Context{});
            }),
            "give fractions or folds, not both");
  EXPECT_EQ(
      message_of([&] { write_split(data_, {.fractions = {1}}, {.folder = folder_}, Context{}); }),
      "fractions has 1 shares; it takes two or three");
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

}  // namespace
}  // namespace glassrank
