#include "glassrank/data/io/side_files.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"

namespace glassrank {
namespace {

class SideFiles : public testing::Test {
 protected:
  ~SideFiles() override {
    std::filesystem::remove(path_ + ".query");
    std::filesystem::remove(path_ + ".weight");
  }
  void write(const std::string& ending, std::string_view text) const {
    write_text_file(path_ + ending, text);
  }
  template <typename Read>
  static std::string message_of(Read&& read) {
    try {
      read();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  std::string path_ = testing::TempDir() + "glassrank_side_files";
};

TEST_F(SideFiles, MayNotBeThere) {
  EXPECT_FALSE(has_query_file(path_));
  EXPECT_FALSE(has_query_file("-"));
  EXPECT_FALSE(read_query_file(path_, 1, Context{}).has_value());
  EXPECT_FALSE(read_weight_file(path_, 1, Context{}).has_value());
}

TEST_F(SideFiles, GiveQuerySizesAndWeights) {
  write(".query", "2\r\n3\n");
  write(".weight", "1\n0.5\n0\n2\n4");
  const auto queries = read_query_file(path_, 5, Context{});
  ASSERT_TRUE(queries.has_value());
  EXPECT_EQ(queries->rows(1).begin, 2U);
  EXPECT_EQ(queries->id(1), "2");
  const auto weights = read_weight_file(path_, 5, Context{});
  ASSERT_TRUE(weights.has_value());
  EXPECT_EQ(*weights, (std::vector<float>{1, 0.5, 0, 2, 4}));
}

TEST_F(SideFiles, SayWhatIsWrongWithQueries) {
  const auto read = [&] { (void)read_query_file(path_, 5, Context{}); };
  const std::string file = path_ + ".query";
  for (const std::string word : {"0", "-1", "x", "1.5", "5000000000"}) {
    write(".query", "2\n" + word + "\n");
    EXPECT_EQ(message_of(read),
              file + ":2:1: '" + word + "' is not a number of rows; each query has one or more");
  }
  write(".query", "2\n2\n");
  EXPECT_EQ(message_of(read),
            file + ": its queries have 4 rows together, but '" + path_ + "' has 5");
}

TEST_F(SideFiles, SayWhatIsWrongWithWeights) {
  const auto read = [&] { (void)read_weight_file(path_, 2, Context{}); };
  const std::string file = path_ + ".weight";
  for (const std::string word : {"-1", "nan", "inf", "x", "1x"}) {
    write(".weight", "1\n " + word + "\n");
    EXPECT_EQ(message_of(read),
              file + ":2:2: '" + word + "' is not a weight; a weight is a finite number >= 0");
  }
  write(".weight", "1\n");
  EXPECT_EQ(message_of(read), file + ": 1 weights, but '" + path_ + "' has 2 rows");
}

}  // namespace
}  // namespace glassrank
