#include "glassrank/data/io/svmlight/svmlight_writer.h"

#include <array>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Dataset block(std::vector<float> values, std::vector<float> grades, const std::string& query,
              std::vector<std::string> names = {"1", "2"}) {
  DatasetParts parts;
  parts.features = Buffer<float>(values.size());
  std::ranges::copy(values, parts.features.data());
  const std::array<std::size_t, 1> sizes = {grades.size()};
  parts.grades = std::move(grades);
  parts.queries = QueryGroups({query}, sizes);
  parts.schema = Schema::of_features(std::move(names));
  return Dataset(std::move(parts));
}

class SvmlightWriterTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) /
                                  (std::string("svmlight_writer_") +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(SvmlightWriterTest, JoinsBlocksAndWritesShortestNumbers) {
  SvmlightWriter writer(path("a.txt"), {});
  writer.append(DatasetView(block({0.1F, -2, kNan, 1e-20F}, {1, 0.5F}, "a")), {});
  writer.append(DatasetView(block({0, 3}, {2}, "b")), {});
  writer.commit();
  EXPECT_EQ(read_text_file(path("a.txt")),
            "1 qid:a 1:0.1 2:-2\n0.5 qid:a 1:nan 2:1e-20\n2 qid:b 1:0 2:3\n");
  EXPECT_FALSE(std::filesystem::exists(path("a.txt.names")));
}

TEST_F(SvmlightWriterTest, LeavesZerosOutButTellsTheWidth) {
  SvmlightWriter writer(path("a.txt"), {.sparse = true});
  writer.append(DatasetView(block({0, 0, 0, 0}, {1, 0}, "a")), {});
  writer.append(DatasetView(block({5, 0}, {0}, "b")), {});
  writer.commit();
  EXPECT_EQ(read_text_file(path("a.txt")), "1 qid:a 2:0\n0 qid:a\n0 qid:b 1:5\n");
}

TEST_F(SvmlightWriterTest, KeepsNamesWeightsAndDocuments) {
  DatasetParts parts;
  parts.features = Buffer<float>(2);
  parts.features[0] = 1;
  parts.features[1] = 2;
  parts.grades = {1, 0};
  parts.weights = {0.5F, 2};
  parts.queries = QueryGroups({"q"}, std::array<std::size_t, 1>{2});
  parts.schema = Schema::of_features({"price"});
  StringColumnBuilder ids;
  ids.add("book");
  ids.add("");
  parts.document_ids = ids.finish();
  SvmlightWriter writer(path("a.txt"), {});
  writer.append(DatasetView(Dataset(std::move(parts))), {});
  writer.commit();
  EXPECT_EQ(read_text_file(path("a.txt")), "1 qid:q 1:1 # book\n0 qid:q 1:2\n");
  EXPECT_EQ(read_text_file(path("a.txt.names")), "price\n");
  EXPECT_EQ(read_text_file(path("a.txt.weight")), "0.5\n2\n");
}

TEST_F(SvmlightWriterTest, NothingAppearsBeforeCommit) {
  {
    SvmlightWriter writer(path("a.txt"), {});
    writer.append(DatasetView(block({1, 2}, {0}, "q", {"x", "y"})), {});
  }
  EXPECT_FALSE(std::filesystem::exists(path("a.txt")));
  EXPECT_FALSE(std::filesystem::exists(path("a.txt.names")));
}

TEST_F(SvmlightWriterTest, PackedFilesReadBackTheSame) {
  std::vector<float> values;
  for (int i = 0; i < 4000; ++i) values.push_back(static_cast<float>(i) / 7);
  values[17] = kNan;
  const Dataset data = block(values, std::vector<float>(2000, 1), "q");
  for (const char* name : {"a.txt", "a.txt.gz", "a.txt.zst"}) {
    SvmlightWriter writer(path(name), {});
    writer.append(DatasetView(data), {});
    writer.commit();
    const Dataset read = load_dataset(path(name), {}, {});
    ASSERT_EQ(read.num_rows(), 2000U);
    for (std::size_t r = 0; r < 2000; ++r) {
      for (std::size_t f = 0; f < 2; ++f) {
        const float expected = data.row(r)[f];
        EXPECT_TRUE(read.row(r)[f] == expected || (expected != expected && r == 8 && f == 1));
      }
    }
  }
  EXPECT_LT(std::filesystem::file_size(path("a.txt.gz")),
            std::filesystem::file_size(path("a.txt")));
}

TEST_F(SvmlightWriterTest, BytesDoNotDependOnThreads) {
  std::vector<float> values;
  for (int i = 0; i < 60000; ++i) values.push_back(static_cast<float>(i) / 3);
  const Dataset data = block(values, std::vector<float>(30000, 0), "q");
  std::vector<std::string> texts;
  for (const int threads : {1, 2, 4}) {
    Context context;
    context.threads = std::make_shared<Threads>(threads);
    SvmlightWriter writer(path("a.txt.gz"), {});
    writer.append(DatasetView(data), context);
    writer.commit();
    texts.push_back(read_text_file(path("a.txt.gz")));
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
}

TEST_F(SvmlightWriterTest, RefusesBlocksThatDoNotFit) {
  SvmlightWriter writer(path("a.txt"), {});
  writer.append(DatasetView(block({1, 2}, {0}, "q")), {});
  try {
    writer.append(DatasetView(block({1, 2}, {0}, "r", {"x", "y"})), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              path("a.txt") + ": data with other features cannot be appended");
  }
  const Dataset plain = block({1, 2}, {0}, "r");
  auto table = std::make_shared<RowTable>(plain.table());
  table->weights = {1};
  const Dataset weighted = plain.with_table(table);
  try {
    writer.append(DatasetView(weighted), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              path("a.txt") + ": some rows have weights and some have none");
  }
}

TEST_F(SvmlightWriterTest, AFailureLeavesDataAndSideFilesAsTheyWere) {
  write_text_file(path("a.txt"), "old");
  write_text_file(path("a.txt.weight"), "old weights");
  SvmlightWriter writer(path("a.txt"), {});
  writer.append(DatasetView(block({0, 3}, {2}, "b")), {});
  try {
    writer.commit();
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(error.message().starts_with(path("a.txt.weight") + " is there"));
  }
  EXPECT_EQ(read_text_file(path("a.txt")), "old");
  EXPECT_EQ(read_text_file(path("a.txt.weight")), "old weights");
}

TEST_F(SvmlightWriterTest, FilesAppearTogetherOrNotAtAll) {
  const Dataset data = block({0, 3}, {2}, "b", {"price", "age"});
  {
    SvmlightFiles files;
    files.add(path("a.txt"), DatasetView(data), {}, {});
    EXPECT_THROW(files.add(path("no/b.txt"), DatasetView(data), {}, {}), Error);
  }
  EXPECT_TRUE(std::filesystem::is_empty(path("")));
  SvmlightFiles files;
  files.add(path("a.txt"), DatasetView(data), {}, {});
  files.add(path("b.txt"), DatasetView(data), {}, {});
  EXPECT_FALSE(std::filesystem::exists(path("a.txt")));
  files.commit();
  for (const char* name : {"a.txt", "b.txt"}) {
    EXPECT_EQ(read_text_file(path(name)), "2 qid:b 1:0 2:3\n");
    EXPECT_EQ(read_text_file(path(name) + ".names"), "price\nage\n");
  }
}

}  // namespace
}  // namespace glassrank
