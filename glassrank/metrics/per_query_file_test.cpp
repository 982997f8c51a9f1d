#include "glassrank/metrics/per_query_file.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

template <typename F>
std::string message_of(F&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PerQueryFile, ReadsTrecEvalsLayout) {
  const PerQueryFile file = parse_per_query(
      "map                   \t301\t0.25\r\n"
      "P_5\t301\t0.4\n\n"
      "map\t302\t0.5\n"
      "map\tall\t0.375",
      "a.tsv");
  ASSERT_EQ(file.measures.size(), 2);
  EXPECT_EQ(file.measure("map").queries, (std::vector<std::string>{"301", "302"}));
  EXPECT_EQ(file.measure("map").values.at("302"), 0.5);
  EXPECT_EQ(file.measure("P_5").values.size(), 1);
}

TEST(PerQueryFile, NamesTheLineThatIsWrong) {
  const auto parse = [](std::string_view text) {
    return message_of([&] { parse_per_query(text, "a.tsv"); });
  };
  EXPECT_EQ(parse("map\t1\t0.5\nmap 2\n"), "a.tsv:2: a line must be 'measure query value'");
  EXPECT_EQ(parse("map\t1\t0.5 7\n"), "a.tsv:1: a line must be 'measure query value'");
  EXPECT_EQ(parse("map\t1\t0.5x\n"), "a.tsv:1: '0.5x' is not a number");
  EXPECT_EQ(parse("map\t1\t0.5\nmap\t1\t0.5\n"), "a.tsv:2: a second value of map for query 1");
  EXPECT_EQ(parse("map\tall\t0.5\n"), "a.tsv: there are no per-query values");
}

TEST(AlignPerQuery, PutsQueriesIntoTheOrderOfTheFirstFile) {
  const std::vector<PerQueryFile> files = {
      parse_per_query("map 1 0.1\nmap 2 0.2\nndcg 1 1\n", "a"),
      parse_per_query("map 2 0.4\nmap 1 0.3\nndcg 1 0\n", "b")};
  const auto aligned = align_per_query(files, {});
  ASSERT_EQ(aligned.size(), 2);
  EXPECT_EQ(aligned[0].metric, "map");
  EXPECT_EQ(aligned[0].values[0], (std::vector<double>{0.1, 0.2}));
  EXPECT_EQ(aligned[0].values[1], (std::vector<double>{0.3, 0.4}));
  EXPECT_EQ(align_per_query(files, std::vector<std::string>{"ndcg"}).size(), 1);
}

TEST(AlignPerQuery, SaysWhichQueryIsMissingWhere) {
  const std::vector<PerQueryFile> files = {parse_per_query("map 1 0.1\nmap 2 0.2\n", "a.tsv"),
                                           parse_per_query("map 1 0.1\n", "b.tsv")};
  const std::vector<PerQueryFile> reversed = {files[1], files[0]};
  const std::string expected = "b.tsv: no value of map for query 2, which a.tsv has";
  EXPECT_EQ(message_of([&] { align_per_query(files, {}); }), expected);
  EXPECT_EQ(message_of([&] { align_per_query(reversed, {}); }), expected);
  EXPECT_EQ(message_of([&] { align_per_query(files, std::vector<std::string>{"mop"}); }),
            "a.tsv: unknown measure 'mop'; did you mean 'map'?");
}

}  // namespace
}  // namespace glassrank
