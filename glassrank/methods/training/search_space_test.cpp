#include "glassrank/methods/training/search_space.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/methods/registry.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using Texts = std::vector<std::string>;

std::vector<SearchRange> parse(const Texts& texts) {
  return parse_search_space(texts, *make_lambdamart({}));
}

TEST(SearchSpace, ReadsRangesAndChoices) {
  const auto ranges = parse({"num_leaves=16..128", "learning_rate=0.02..0.2:log",
                             "growth=leaf|depth", "sample.fraction=0.5..1"});
  ASSERT_EQ(ranges.size(), 4U);
  EXPECT_TRUE(ranges[0].is_whole);
  EXPECT_EQ(ranges[0].low, 16);
  EXPECT_EQ(ranges[0].high, 128);
  EXPECT_TRUE(ranges[1].is_log);
  EXPECT_EQ(ranges[1].high, 0.2);
  EXPECT_EQ(ranges[2].choices, (Texts{"leaf", "depth"}));
  EXPECT_FALSE(ranges[3].is_log);
}

TEST(SearchSpace, ReadsTheSameFromAFile) {
  const std::string path = std::filesystem::path(::testing::TempDir()) / "search_space_test.toml";
  write_text_file(path,
                  "num_leaves = \"16..128\"\nl2 = [0, 1, 10]\n[sample]\nfraction = \"0.5..1\"\n");
  const auto ranges = parse({path});
  ASSERT_EQ(ranges.size(), 3U);
  std::map<std::string, SearchRange> by_name;
  for (const SearchRange& range : ranges) by_name[range.name] = range;
  EXPECT_EQ(by_name["num_leaves"].high, 128);
  EXPECT_EQ(by_name["l2"].choices, (Texts{"0", "1", "10"}));
  EXPECT_EQ(by_name["sample.fraction"].low, 0.5);
  write_text_file(path, "num_leaves = \"16..x\"\n");
  EXPECT_EQ(message_of([&] { parse({path}); }),
            path +
                ":1: search 'num_leaves=16..x': 'x' is not a number; a range is low..high, "
                "low..high:log or a|b|c");
}

TEST(SearchSpace, DrawsEveryWholeNumberOfARangeAboutAsOften) {
  const SearchRange range = parse({"num_leaves=2..5"})[0];
  std::map<std::string, int> counts;
  for (std::size_t t = 0; t < 4000; ++t) ++counts[draw_value(range, 0, t, 1)];
  ASSERT_EQ(counts.size(), 4U);
  // 1000 each, standard deviation sqrt(4000 * 3/16) = 27: five of them.
  for (const auto& [value, count] : counts) EXPECT_NEAR(count, 1000, 137) << value;
}

TEST(SearchSpace, LogScaleHasHalfItsDrawsBelowTheGeometricMean) {
  const SearchRange range = parse({"learning_rate=0.01..1:log"})[0];
  int below = 0;
  for (std::size_t t = 0; t < 2000; ++t) {
    const double value = std::stod(draw_value(range, 0, t, 1));
    ASSERT_GE(value, 0.01);
    ASSERT_LE(value, 1);
    below += value < 0.1 ? 1 : 0;
  }
  EXPECT_NEAR(below, 1000, 112);  // sqrt(2000 / 4) = 22.4: five of them
}

TEST(SearchSpace, DrawsDependOnSeedTrialAndPlace) {
  const SearchRange range = parse({"learning_rate=0.01..1"})[0];
  std::set<std::string> values;
  values.insert(draw_value(range, 0, 0, 1));
  values.insert(draw_value(range, 1, 0, 1));
  values.insert(draw_value(range, 0, 1, 1));
  values.insert(draw_value(range, 0, 0, 2));
  EXPECT_EQ(values.size(), 4U);
  EXPECT_EQ(draw_value(range, 0, 0, 1), draw_value(range, 0, 0, 1));
}

TEST(SearchSpace, SetsOfFewValuesAreAGridAndOfManyAreDrawn) {
  using Sets = std::vector<Texts>;
  const auto grid = parse({"growth=leaf|depth", "num_leaves=2..4", "l2=1|1.0|1e0"});
  EXPECT_EQ(num_sets(grid), 6U);
  const Sets all = {{"leaf", "2", "1"},  {"leaf", "3", "1"},  {"leaf", "4", "1"},
                    {"depth", "2", "1"}, {"depth", "3", "1"}, {"depth", "4", "1"}};
  EXPECT_EQ(search_sets(grid, 6, 1), all);
  EXPECT_EQ(search_sets(grid, 100, 2), all);
  const Sets five = search_sets(grid, 5, 1);
  EXPECT_EQ((std::set<Texts>(five.begin(), five.end()).size()), 5U);
  for (const Texts& each : five) EXPECT_NE(std::ranges::find(all, each), all.end());
  EXPECT_NE(search_sets(grid, 5, 3), five);

  const auto open = parse({"learning_rate=0.01..1", "num_leaves=2..3"});
  EXPECT_EQ(num_sets(open), kUncounted);
  const Sets drawn = search_sets(open, 50, 1);
  EXPECT_EQ((std::set<Texts>(drawn.begin(), drawn.end()).size()), 50U);
  EXPECT_EQ(drawn[0], (Texts{draw_value(open[0], 0, 0, 1), draw_value(open[1], 1, 0, 1)}));
  // Numbers have four digits: here are three of them.
  EXPECT_EQ(search_sets(parse({"learning_rate=0.1..0.1002"}), 50, 1).size(), 3U);
}

TEST(SearchSpace, DrawsListsOfNumbers) {
  const auto method = make_ranknet({});
  const std::vector<std::string> texts = {"hidden=16|[64,32]|64.0,32"};
  const std::vector<SearchRange> ranges = parse_search_space(texts, *method);
  EXPECT_EQ(ranges[0].choices, (Texts{"16", "[64,32]"})) << "what means the same counts once";
  set_searched(*method, "hidden", ranges[0].choices[1]);
  const std::vector<ParamInfo> infos = list_params(*method);
  EXPECT_EQ(std::ranges::find(infos, "hidden", &ParamInfo::name)->items, (Texts{"64", "32"}));
  EXPECT_TRUE(message_of([&] {
                set_searched(*method, "hidden", "64,many");
              }).starts_with("hidden = 'many' is not a number"));
}

TEST(SearchSpace, SaysWhatIsWrong) {
  const auto message = [](const std::string& text) { return message_of([&] { parse({text}); }); };
  EXPECT_EQ(message("num_leavs=1..2"), "unknown parameter 'num_leavs'; did you mean 'num_leaves'?");
  EXPECT_EQ(message("num_leaves=8..4"), "search 'num_leaves=8..4': the range ends below its begin");
  EXPECT_EQ(message("num_leaves=1.5..4"),
            "search 'num_leaves=1.5..4': num_leaves takes whole numbers");
  EXPECT_EQ(message("l2=0..4:log"), "search 'l2=0..4:log': a log scale begins above 0");
  EXPECT_EQ(message("feature_fraction=0.5..1.5"),
            "feature_fraction = 1.5 is out of range; it must be 0 < x <= 1");
  EXPECT_EQ(message("growth=sideways"), "unknown growth 'sideways'; known: leaf, depth");
  EXPECT_EQ(message("num_trees=10..20"),
            "search: num_trees cannot be searched: it is how long a trial is trained, which "
            "search.rungs shares out");
  EXPECT_EQ(message("metric=ndcg@5|map"),
            "search: metric cannot be searched: it decides what trials are compared by");
  EXPECT_EQ(message("monotone=+1|-1"),
            "search: monotone cannot be searched: its value is a list of texts");
  EXPECT_EQ(message_of([&] { parse({}); }), "search: no parameter has a range");
  EXPECT_EQ(message_of([&] { parse({"l2=0..1", "l2=2..3"}); }), "search: l2 has two ranges");
  EXPECT_EQ(message_of([&] { parse({"num_leaves=2", "3"}); }),
            "search '3': this is neither NAME=RANGE nor a file; choices have | between them: "
            "num_leaves=2|3");
}

}  // namespace
}  // namespace glassrank
