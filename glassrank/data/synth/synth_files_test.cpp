#include "glassrank/data/synth/synth_files.h"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/noisy_file.h"
#include "glassrank/data/synth/synthetic.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

class SynthFilesTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("synth_files_{}", ::getpid());
};

TEST_F(SynthFilesTest, HoldTheDataThatIsMadeInMemory) {
  const SyntheticParams params{.queries = 15, .features = 9, .label_noise = 0.1};
  const std::string expected = dataset_digest(make_synthetic(params, Context{}), Context{});
  for (const char* const name : {"a.txt", "a.txt.gz", "a.cache"}) {
    const SyntheticResult result = write_synthetic(params, {.out = path(name)}, Context{});
    const Dataset read = load_dataset(path(name), {}, Context{});
    EXPECT_EQ(dataset_digest(read, Context{}), expected) << name;
    EXPECT_EQ(result.num_rows, read.num_rows());
    EXPECT_EQ(result.num_queries, 15U);
    EXPECT_EQ(result.num_features, 9U);
    EXPECT_GT(result.num_flipped, 0U);
  }
}

TEST_F(SynthFilesTest, TellTheTruthWhereAskedTo) {
  const SynthFiles files{.out = path("a.txt"), .truth = path("truth.json"), .utilities = true};
  write_synthetic({.queries = 5}, files, Context{});
  EXPECT_NE(read_text_file(files.truth).find("\"utilities\""), std::string::npos);
}

TEST_F(SynthFilesTest, AreNeverASparseCache) {
  const SynthFiles files{
      .out = path("a.cache"), .truth = path("truth.json"), .write = {.sparse = true}};
  EXPECT_EQ(message_of([&] { write_synthetic({.queries = 5}, files, Context{}); }),
            "a cache is never sparse; leave out --sparse");
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(SynthFilesTest, OfTheBookShopAreThoseThatWereAnnounced) {
  const SynthFiles files{.out = path("shop")};
  const BookshopResult result = write_bookshop({.queries = 20, .books = 300}, files, Context{});
  const std::vector<std::string> paths = bookshop_paths(files);
  ASSERT_EQ(result.parts.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(result.parts[i].out, paths[i]);
    EXPECT_EQ(load_dataset(paths[i], {}, Context{}).num_rows(), result.parts[i].num_rows);
  }
  EXPECT_EQ(result.truth, path("shop/truth.json"));
  EXPECT_EQ(paths.back(), result.truth);
  EXPECT_TRUE(std::filesystem::exists(result.truth));
  EXPECT_EQ(bookshop_paths({.out = "shop", .truth = "elsewhere.json"}).back(), "elsewhere.json");
}

TEST_F(SynthFilesTest, WithNoiseDifferInTheGradesOfTheLogOnly) {
  const Dataset data = make_synthetic({.queries = 15, .features = 9}, Context{});
  const NoiseResult result = write_noisy(
      data, {.out = path("noisy.txt"), .log = path("flips.tsv"), .noise = {.probability = 0.3}},
      Context{});
  const Dataset read = load_dataset(path("noisy.txt"), {}, Context{});
  ASSERT_EQ(read.num_rows(), result.num_rows);
  std::size_t num_changed = 0;
  for (std::size_t r = 0; r < read.num_rows(); ++r) {
    num_changed += read.grades()[r] != data.grades()[r];
    EXPECT_TRUE(std::ranges::equal(read.row(r), data.row(r)));
  }
  EXPECT_EQ(num_changed, result.num_flipped);
  const std::string log = read_text_file(path("flips.tsv"));
  EXPECT_EQ(std::ranges::count(log, '\n'), static_cast<std::ptrdiff_t>(num_changed) + 1);
}

}  // namespace
}  // namespace glassrank
