#include "glassrank/metrics/per_query_file.h"

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

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

// Nothing but names, which is all that writing needs.
class NamedQueries final : public ListSource {
 public:
  explicit NamedQueries(std::vector<std::string> names) : names_(std::move(names)) {}
  std::size_t num_queries() const override { return names_.size(); }
  RankedList list(std::size_t, bool, std::vector<std::string_view>&) const override { return {}; }
  std::string query_name(std::size_t query) const override { return names_[query]; }
  std::string document_name(std::size_t, std::size_t) const override { return {}; }

 private:
  std::vector<std::string> names_;
};

Evaluation map_values(std::vector<double> values, double mean) {
  Evaluation evaluation;
  evaluation.metrics.push_back({.metric = parse_metric("map"),
                                .values = std::move(values),
                                .mean = mean,
                                .num_counted = 2,
                                .num_empty = 1});
  return evaluation;
}

TEST(PerQueryFile, ComesBackAsItWasWritten) {
  const std::string path = testing::TempDir() + "per_query_file_test.tsv";
  const double third = 1.0 / 3;
  write_per_query(path, NamedQueries({"7", "8", "9"}),
                  map_values({third, std::numeric_limits<double>::quiet_NaN(), 0.5}, 0.25));
  EXPECT_EQ(read_text_file(path), "map\t7\t0.3333333333333333\nmap\t9\t0.5\nmap\tall\t0.25\n");
  const PerQueryFile file = read_per_query(path);
  EXPECT_EQ(file.measure("map").queries, (std::vector<std::string>{"7", "9"}));
  EXPECT_EQ(file.measure("map").values.at("7"), third);
  std::filesystem::remove(path);
}

TEST(PerQueryFile, HasNoPlaceForAQueryCalledAll) {
  const std::string path = testing::TempDir() + "per_query_file_all_test.tsv";
  EXPECT_EQ(message_of([&] {
              write_per_query(path, NamedQueries({"7", "all"}), map_values({0.5, 0.5}, 0.5));
            }),
            path +
                ": a query is called 'all', which in files of per-query values is the line of "
                "the mean; rename the query");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(PerQueryFile, RefusesQueriesItCouldNotReadBack) {
  const std::string path = testing::TempDir() + "per_query_file_blank_test.tsv";
  const std::string rule =
      " cannot stand in a file of per-query values, where blanks part the columns; rename the "
      "query";
  for (const auto& [name, shown] :
       {std::pair{"red shoes", "'red shoes'"}, {"a\tb", "'a\\x09b'"}, {"", "''"}}) {
    EXPECT_EQ(message_of([&] {
                write_per_query(path, NamedQueries({"7", name}), map_values({0.5, 0.5}, 0.5));
              }),
              fmt::format("{}: query {}{}", path, shown, rule));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
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
