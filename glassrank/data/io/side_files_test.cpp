#include "glassrank/data/io/side_files.h"

#include <filesystem>
#include <memory>
#include <unistd.h>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/data/io/formats.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

class Messages final : public LogSink {
 public:
  void log(LogLevel, std::string_view message) override { text.append(message) += '\n'; }
  std::string text;
};

TEST(SideFiles, QueryCountsMustBeWholeAndAddUp) {
  const QueryGroups queries = parse_query_counts(" 2\r\n1\n\n", "d.query", 3);
  ASSERT_EQ(queries.num_queries(), 2U);
  EXPECT_EQ(queries.id(1), "2");
  EXPECT_EQ(queries.rows(1).begin, 2U);
  EXPECT_EQ(message_of([] { parse_query_counts("2\n1.5\n", "d.query", 3); }),
            "d.query:2:1: '1.5' is not the number of rows of a query; it is a whole number from 1 "
            "to 3");
  EXPECT_EQ(message_of([] { parse_query_counts("1\n1\n", "d.query", 3); }),
            "d.query: 2 rows in all, but the data file has 3; the counts must add up");
}

TEST(SideFiles, WeightsAreFiniteAndOneARow) {
  EXPECT_EQ(parse_weights("1\n0.5\n", "d.weight", 2), (std::vector<float>{1.0F, 0.5F}));
  for (const char* text : {"-1\n", "nan\n", "inf\n", "\n1\n", "1 2\n"}) {
    EXPECT_NE(message_of([&] {
                parse_weights(text, "d.weight", 1);
              }).find("is not a weight; it is a finite number of 0 or more"),
              std::string::npos)
        << text;
  }
  EXPECT_EQ(message_of([] { parse_weights("1\n", "d.weight", 2); }),
            "d.weight: 1 weights, but the data file has 2 rows; there is one a row");
}

TEST(SideFiles, NamesAreOneAFeatureAndDiffer) {
  EXPECT_EQ(parse_feature_names("bm25 title\n price\n", "d.names", 2),
            (std::vector<std::string>{"bm25 title", "price"}));
  EXPECT_EQ(message_of([] { parse_feature_names("a\n", "d.names", 2); }),
            "d.names: 1 names, but the data file has 2 features; there is one a feature");
  EXPECT_EQ(message_of([] { parse_feature_names("a\n\nb\n", "d.names", 3); }),
            "d.names:2:1: the name of a feature is empty");
  EXPECT_EQ(message_of([] { parse_feature_names("bm25\nprice\nbm25\n", "d.names", 3); }),
            "d.names:3:1: 'bm25' is the name in line 1 already; names must differ");
}

TEST(SideFiles, ThatAreNotUsedAreNoticed) {
  const auto folder =
      std::filesystem::path(::testing::TempDir()) / ("side_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto notices = [&](const std::string& name, const std::string& text) {
    const std::string path = (folder / name).string();
    write_text_file(path, text);
    for (const char* suffix : {".query", ".weight", ".names"}) write_text_file(path + suffix, "1");
    auto messages = std::make_shared<Messages>();
    Context context;
    context.log_sink = messages;
    load_dataset(path, {}, context);
    std::string found = messages->text;
    for (std::size_t at = 0; (at = found.find(path)) != found.npos;) {
      found.replace(at, path.size(), name);
    }
    return found;
  };
  EXPECT_EQ(notices("d", "1 qid:7 1:1\n"), "d.query is not used: the rows have qids\n");
  EXPECT_EQ(notices("d.csv", "grade,query,weight,x\n1,7,1,2\n"),
            "d.csv.names is not used: the header names the features\n"
            "d.csv.weight is not used: there is a column of weights\n"
            "d.csv.query is not used: there is a column of queries\n");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace glassrank
