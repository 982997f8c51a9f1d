#include "glassrank/data/io/scores.h"

#include <filesystem>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"

namespace glassrank {
namespace {

std::string error_of(std::string_view text, std::size_t num_documents) {
  try {
    parse_scores(text, "s.txt", num_documents);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "no error";
}

TEST(Scores, AreOneNumberPerLine) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(parse_scores("1\n-2.5e-3\n+0.1\ninf\n", "s.txt", 4),
            (std::vector<double>{1, -2.5e-3, 0.1, inf}));
  EXPECT_EQ(parse_scores("  1\t\r\n2\r\n3", "s.txt", 3), (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(parse_scores("", "s.txt", 0).empty());
}

TEST(Scores, RefuseWhatIsNotOneNumberAndSayWhere) {
  EXPECT_EQ(error_of("1\n\n3\n", 3),
            "s.txt:2:1: an empty line; every line must be the score of one document");
  EXPECT_EQ(error_of("1\n  abc\n", 2), "s.txt:2:3: 'abc' is not a number");
  EXPECT_EQ(error_of("1\n2 7\n", 2), "s.txt:2:2: ' 7' after the score; a line is one number");
  EXPECT_EQ(error_of("nan\n", 1), "s.txt:1:1: the score is not a number (nan)");
  EXPECT_EQ(error_of("1e999\n", 1), "s.txt:1:1: '1e999' is beyond the range of a double");
}

TEST(Scores, MustBeAsManyAsDocuments) {
  EXPECT_EQ(error_of("1\n2\n", 3),
            "s.txt:3:1: the file ends after 2 scores; there are 3 documents");
  EXPECT_EQ(error_of("1\n2\n3\n", 2),
            "s.txt:3:1: more scores than documents; there are 2 documents");
}

TEST(Scores, AreReadFromAFile) {
  const std::string path = std::filesystem::path(testing::TempDir()) / "scores_test.txt";
  write_text_file(path, "0.5\n0.25\n");
  EXPECT_EQ(read_scores(path, 2, Context{}), (std::vector<double>{0.5, 0.25}));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace glassrank
