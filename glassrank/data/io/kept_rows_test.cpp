#include "glassrank/data/io/kept_rows.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/text_rows.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

class KeptRowsTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::string in(const char* name, const char* text) const {
    write_text_file(path(name), text);
    return path(name);
  }
  // Reads `from`, keeps the rows, returns the text of the new file.
  std::string kept(const std::string& from, std::vector<std::uint32_t> rows, const char* to) const {
    const Dataset data = load_dataset(from, {}, {});
    write_kept_rows({.from = from, .read = {}, .data = data, .rows = std::move(rows)}, path(to),
                    {});
    return read_text_file(path(to));
  }
  std::string refusal(const std::string& from, const char* to) const {
    try {
      check_kept_rows(from, {}, path(to));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "";
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("kept_rows_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(KeptRowsTest, CopiesLinesOfTextAsTheyAre) {
  const std::string from = in("a.txt",
                              "# made by hand\n"
                              "1 qid:7 1:0.500 2:1 #docid = A inc = 1 prob = 0.3\r\n"
                              "\n"
                              "0 qid:7 1:+3 2:2e0 # second\n"
                              "  2 qid:8 2:5");
  EXPECT_EQ(kept(from, {0, 2}, "b.txt"),
            "# made by hand\n1 qid:7 1:0.500 2:1 #docid = A inc = 1 prob = 0.3\r\n\n  2 qid:8 2:5");
  EXPECT_EQ(kept(from, {1}, "b.txt"), "# made by hand\n\n0 qid:7 1:+3 2:2e0 # second\n");
}

// Rows of query 1 stand in lines 1 and 3; the data has them together: rows 0 and 1.
TEST_F(KeptRowsTest, FollowsRowsThatWereGrouped) {
  const std::string from = in("a.txt", "1 qid:1 1:1\n2 qid:2 1:2\n3 qid:1 1:3\n");
  EXPECT_EQ(kept(from, {0, 2}, "b.txt"), "1 qid:1 1:1\n2 qid:2 1:2\n");
  const Dataset data = load_dataset(from, {}, {});
  const std::vector<std::uint32_t> rows = {1, 2};
  EXPECT_EQ(lines_of_rows(from, {}, data, rows, {}), (std::vector<std::size_t>{3, 2}));
}

TEST_F(KeptRowsTest, CopiesRecordsBelowTheHeader) {
  const std::string from = in("a.csv",
                              "query,grade,document,f\n"
                              "q,1,\"two\nlines\",1.50\n"
                              "\n"
                              "q,0,plain,2\n"
                              "r,1,\"a,b\",3\n");
  EXPECT_EQ(kept(from, {0, 2}, "b.csv"),
            "query,grade,document,f\nq,1,\"two\nlines\",1.50\n\nr,1,\"a,b\",3\n");
  const Dataset data = load_dataset(from, {}, {});
  const std::vector<std::uint32_t> rows = {0, 1, 2};
  EXPECT_EQ(lines_of_rows(from, {}, data, rows, {}), (std::vector<std::size_t>{2, 5, 6}));
}

TEST_F(KeptRowsTest, FollowsTheSeparatorAndSkipsAByteOrderMark) {
  const std::string from = in("a.csv", "\xEF\xBB\xBF\"qid\";label;f\nq;1;1,5\n\"r;s\";0;2\n");
  ReadParams read;
  read.ignore_columns = {"f"};
  const Dataset data = load_dataset(from, read, {});
  write_kept_rows({.from = from, .read = read, .data = data, .rows = {1}}, path("b.csv"), {});
  EXPECT_EQ(read_text_file(path("b.csv")), "\xEF\xBB\xBF\"qid\";label;f\n\"r;s\";0;2\n");
}

// Rows of query a are grouped: rows 0 and 1 of the data stand in lines 2 and 4.
TEST_F(KeptRowsTest, WritesOtherGradesIntoTheirCells) {
  const std::string from = in("a.csv", "qid,x,label\na,\"1\",0\nb,2, 1 \na,3,2\n");
  const Dataset data = load_dataset(from, {}, {});
  const std::vector<float> grades = {0.5F, 2, 0};
  write_regraded(from, {}, data, grades, path("b.csv"), {});
  EXPECT_EQ(read_text_file(path("b.csv")), "qid,x,label\na,\"1\",0.5\nb,2,0\na,3,2\n");
}

TEST_F(KeptRowsTest, CopiesAppearWhenTheyAreCommitted) {
  const std::string from = in("a.csv", "qid,label\na,1\nb,2\n");
  const Dataset data = load_dataset(from, {}, {});
  {
    const CopiedRows dropped({.from = from, .read = {}, .data = data, .rows = {0}}, path("b.csv"),
                             {});
    EXPECT_FALSE(std::filesystem::exists(path("b.csv")));
  }
  EXPECT_FALSE(std::filesystem::exists(path("b.csv")));
  CopiedRows copy({.from = from, .read = {}, .data = data, .rows = {0}}, path("b.csv"), {});
  copy.commit();
  EXPECT_EQ(read_text_file(path("b.csv")), "qid,label\na,1\n");
}

TEST_F(KeptRowsTest, TakesWeightsAndNamesAlong) {
  const std::string from = in("a.txt", "1 qid:1 1:1 2:1\n2 qid:1 1:2 2:2\n");
  in("a.txt.weight", "0.5\n2\n");
  in("a.txt.names", "price\nage\n");
  kept(from, {1}, "b.txt");
  EXPECT_EQ(read_text_file(path("b.txt.weight")), "2\n");
  EXPECT_EQ(read_text_file(path("b.txt.names")), "price\nage\n");
}

TEST_F(KeptRowsTest, RefusesSideFilesOfOtherData) {
  const std::string from = in("a.txt", "1 qid:1 1:1\n2 qid:1 1:2\n");
  in("b.txt.weight", "3\n");
  in("c.txt.names", "price\n");
  const std::string end = ", but is not of the data written; move it away or give another name";
  EXPECT_EQ(refusal(from, "b.txt"),
            path("b.txt.weight") + " is there and would be read with " + path("b.txt") + end);
  EXPECT_EQ(message_of([&] { kept(from, {0}, "c.txt"); }),
            path("c.txt.names") + " is there and would be read with " + path("c.txt") + end);
  EXPECT_EQ(read_text_file(path("b.txt.weight")), "3\n");
  EXPECT_EQ(read_text_file(path("c.txt.names")), "price\n");
  EXPECT_FALSE(std::filesystem::exists(path("b.txt")));
  EXPECT_FALSE(std::filesystem::exists(path("c.txt")));
}

TEST_F(KeptRowsTest, WritesAnewWhatACopyWouldReadDifferently) {
  // Only the second row names feature 3.
  const std::string wide = in("wide.txt", "1 qid:1 1:1 # a\n0 qid:1 3:2\n");
  EXPECT_EQ(kept(wide, {0}, "b.txt"), "1 qid:1 1:1 2:0 3:0 # a\n");
  // Only the second row shows that features count from 0.
  const std::string zero = in("zero.txt", "1 qid:1 1:1\n0 qid:1 0:2\n");
  kept(zero, {0}, "b.txt");
  const Dataset read = load_dataset(path("b.txt"), {}, {});
  EXPECT_EQ(read.num_features(), 2);
  EXPECT_EQ(read.row(0)[1], 1);
  EXPECT_EQ(read.feature_names()[0], "0");
  // Queries by count.
  const std::string counted = in("counted.txt", "1 1:1\n0 1:2\n1 1:3\n");
  in("counted.txt.query", "2\n1\n");
  EXPECT_EQ(kept(counted, {1, 2}, "c.txt"), "0 qid:1 1:2\n1 qid:2 1:3\n");
}

TEST_F(KeptRowsTest, KeepsACacheACacheAndPacksByName) {
  const std::string from = in("a.txt", "1 qid:1 1:1 # x\n2 qid:1 1:2 # y\n");
  write_cache(path("a.cache"), load_dataset(from, {}, {}), {});
  kept(path("a.cache"), {1}, "b.cache");
  const Dataset cached = load_dataset(path("b.cache"), {}, {});
  EXPECT_EQ(cached.num_rows(), 1);
  EXPECT_EQ(cached.document_name(0), "y");
  kept(from, {0}, "b.txt.gz");
  const Dataset packed = load_dataset(path("b.txt.gz"), {}, {});
  EXPECT_EQ(packed.num_rows(), 1);
  EXPECT_EQ(packed.document_name(0), "x");
  kept(path("b.txt.gz"), {0}, "c.txt");
  EXPECT_EQ(read_text_file(path("c.txt")), "1 qid:1 1:1 # x\n");
  const std::vector<std::uint32_t> rows = {1};
  EXPECT_EQ(lines_of_rows(path("a.cache"), {}, load_dataset(from, {}, {}), rows, {}),
            (std::vector<std::size_t>{2}));
}

TEST_F(KeptRowsTest, RefusesNamesOfAnotherFormat) {
  const std::string text = in("a.txt", "1 qid:1 1:1\n");
  EXPECT_NE(refusal(text, "b.csv").find("a.txt is svmlight and stays so; "), std::string::npos);
  EXPECT_NE(refusal(text, "b.csv")
                .find("b.csv would be read as csv: give it the ending of the "
                      "input"),
            std::string::npos);
  EXPECT_EQ(refusal(text, "b.txt.zst"), "");
  const std::string table = in("a.csv", "grade,f\n1,2\n");
  in("a.csv.query", "1\n");
  EXPECT_NE(refusal(table, "b.csv").find("rows of such a file cannot be left out"),
            std::string::npos);
}

TEST(FeatureIds, AreThoseOfTheFirstAndLastPair) {
  const auto ids = [](const char* row) {
    const FeatureIds found = feature_ids_of(row);
    return std::pair(found.first, found.last);
  };
  using Ids = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(ids("1 qid:12 3:4 15:0.5 # x:99\n"), (Ids{3, 15}));
  EXPECT_EQ(ids("1 0:4\n"), (Ids{0, 0}));
  EXPECT_EQ(ids("1 qid:a:7 2:1\n"), (Ids{2, 2}));
  EXPECT_EQ(ids("1 qid:12 # 7:8\n"), (Ids{1, 0}));
}

}  // namespace
}  // namespace glassrank
