#include "glassrank/base/params.h"

#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "testing/message_of.h"

namespace glassrank {
enum class Colour { kRed, kBlue };
template <>
struct EnumNames<Colour> {
  static std::span<const std::pair<std::string_view, Colour>> table() {
    static constexpr std::pair<std::string_view, Colour> kTable[] = {{"red", Colour::kRed},
                                                                     {"blue", Colour::kBlue}};
    return kTable;
  }
};

namespace {

struct Inner {
  double top = 0.25;
  void visit(ParamVisitor& v) { v.field("top", top, "share kept", kShare); }
};

struct Outer {
  int count = 3;
  bool loud = false;
  std::string name = "x";
  std::vector<std::string> tags;
  Colour colour = Colour::kRed;
  Inner sample;
  void visit(ParamVisitor& v) {
    v.field("count", count, "how many", Range{.low = 1, .high = 10});
    v.field("loud", loud, "say more");
    v.field("name", name, "a name");
    v.field("tags", tags, "some tags");
    v.field("colour", colour, "which colour");
    v.group("sample", sample);
  }
};

TEST(Params, AreListedWithNamesTypesAndDefaults) {
  const auto infos = list_params(Outer{});
  ASSERT_EQ(infos.size(), 6U);
  EXPECT_EQ(infos[0].name, "count");
  EXPECT_EQ(infos[0].value, "3");
  EXPECT_EQ(infos[4].choices, (std::vector<std::string>{"red", "blue"}));
  EXPECT_EQ(infos[5].name, "sample.top");
  EXPECT_EQ(infos[5].value, "0.25");
}

TEST(Params, AreInTheSectionNamedLastAndGroupsRestoreIt) {
  struct Sampling {
    double top = 0.5;
    void visit(ParamVisitor& v) {
      v.section("sampling");
      v.field("top", top, "share kept", kShare);
    }
  };
  struct Sectioned {
    int before = 0;
    int rounds = 1;
    Sampling sample;
    int after = 2;
    void visit(ParamVisitor& v) {
      v.field("before", before, "");
      v.section("training");
      v.field("rounds", rounds, "");
      v.group("sample", sample);
      v.field("after", after, "");
    }
  };
  std::vector<std::string> sections;
  for (const ParamInfo& info : list_params(Sectioned{})) sections.push_back(info.section);
  EXPECT_EQ(sections, (std::vector<std::string>{"general", "training", "sampling", "training"}));
}

TEST(Params, AreSetByName) {
  Outer params;
  set_param(params, "count", {"7"});
  set_param(params, "loud", {"true"});
  set_param(params, "tags", {"a", "b"});
  set_param(params, "colour", {"blue"});
  set_param(params, "sample.top", {"1e-2"});
  EXPECT_EQ(params.count, 7);
  EXPECT_TRUE(params.loud);
  EXPECT_EQ(params.tags, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(params.colour, Colour::kBlue);
  EXPECT_EQ(params.sample.top, 0.01);
}

TEST(Params, RefuseWhatDoesNotFitAndSayWhatWould) {
  Outer p;
  EXPECT_EQ(message_of([&] { set_param(p, "cuont", {"7"}); }),
            "unknown parameter 'cuont'; did you mean 'count'?");
  EXPECT_EQ(message_of([&] { set_param(p, "count", {"11"}); }),
            "count = 11 is out of range; it must be 1 <= x <= 10");
  EXPECT_EQ(message_of([&] { set_param(p, "count", {"7x"}); }),
            "count = '7x' is not a whole number with 1 <= x <= 10");
  EXPECT_EQ(message_of([&] { set_param(p, "count", {"7", "8"}); }), "count takes one value, not 2");
  EXPECT_EQ(message_of([&] { set_param(p, "loud", {"maybe"}); }),
            "loud = 'maybe' must be true or false");
  EXPECT_EQ(message_of([&] { set_param(p, "colour", {"bleu"}); }),
            "unknown colour 'bleu'; did you mean 'blue'?");
  EXPECT_EQ(message_of([&] { set_param(p, "sample.top", {"nan"}); }),
            "sample.top = nan is out of range; it must be 0 <= x <= 1");
}

TEST(Params, AreFiniteWhateverTheRange) {
  struct Open {
    double rate = 1;
    double shift = 0;
    void visit(ParamVisitor& v) {
      v.field("rate", rate, "", kPositive);
      v.field("shift", shift, "");
    }
  } open;
  EXPECT_EQ(message_of([&] { set_param(open, "rate", {"inf"}); }),
            "rate = inf is out of range; it must be x > 0 and finite");
  EXPECT_EQ(message_of([&] { set_param(open, "shift", {"nan"}); }),
            "shift = nan is out of range; it must be a finite number");
}

TEST(Params, AreCheckedAsValues) {
  Outer p;
  check_params(p);
  p.count = -1;
  EXPECT_EQ(message_of([&] { check_params(p); }),
            "count = -1 is out of range; it must be 1 <= x <= 10");
  p.count = 1;
  p.sample.top = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message_of([&] { check_params(p); }),
            "sample.top = nan is out of range; it must be 0 <= x <= 1");
  struct Listed {
    std::vector<double> shares = {0.5, std::numeric_limits<double>::infinity()};
    void visit(ParamVisitor& v) { v.field("shares", shares, "", kNotNegative); }
  };
  EXPECT_EQ(message_of([] { check_params(Listed{}); }),
            "shares = inf is out of range; it must be x >= 0 and finite");
}

TEST(Params, OfTextMayBeOneOfARegistrysNames) {
  struct Named {
    std::string format = "native";
    std::string preset = {};
    void visit(ParamVisitor& v) {
      v.field("format", format, "", std::vector<std::string>{"native", "xgboost"});
      v.field("preset", preset, "", std::vector<std::string>{"a", "b"});
    }
  } named;
  EXPECT_EQ(list_params(named)[0].choices, (std::vector<std::string>{"native", "xgboost"}));
  check_params(named);
  set_param(named, "preset", {""});
  set_param(named, "preset", {"b"});
  EXPECT_EQ(named.preset, "b");
  EXPECT_EQ(message_of([&] { set_param(named, "format", {"xgbost"}); }),
            "unknown format 'xgbost'; did you mean 'xgboost'?");
  named.format = "xml";
  EXPECT_EQ(message_of([&] { check_params(named); }),
            "unknown format 'xml'; known: native, xgboost");
}

TEST(Toml, GivesDottedAssignmentsWithLines) {
  const std::string path = std::filesystem::path(testing::TempDir()) / "params_test.toml";
  write_text_file(path, "count = 4\ntags = [\"a\", \"b\"]\n[sample]\ntop = 0.5\n");
  const auto assignments = read_toml(path);
  ASSERT_EQ(assignments.size(), 3U);
  Outer params;
  for (const auto& a : assignments) set_param(params, a.name, a.values);
  EXPECT_EQ(params.count, 4);
  EXPECT_EQ(params.tags.size(), 2U);
  EXPECT_EQ(params.sample.top, 0.5);
  write_text_file(path, "count = \n");
  EXPECT_NE(message_of([&] { read_toml(path); }).find("params_test.toml:1:"), std::string::npos);
  std::filesystem::remove(path);
}

TEST(Toml, WritesWhatItReads) {
  Outer params;
  params.count = 7;
  params.loud = true;
  params.name = "a \"quoted\" \\ name\n";
  params.tags = {"[a,b]", "c"};
  params.colour = Colour::kBlue;
  params.sample.top = 0.1;
  const std::string path = std::filesystem::path(testing::TempDir()) / "params_test_out.toml";
  write_text_file(path, toml_text(list_params(params)));
  Outer back;
  for (const auto& a : read_toml(path)) set_param(back, a.name, a.values);
  EXPECT_EQ(back.count, 7);
  EXPECT_TRUE(back.loud);
  EXPECT_EQ(back.name, params.name);
  EXPECT_EQ(back.tags, params.tags);
  EXPECT_EQ(back.colour, Colour::kBlue);
  EXPECT_EQ(back.sample.top, 0.1);
  std::filesystem::remove(path);
}

TEST(Toml, TakesTextNumbersFlagsAndListsOfThese) {
  const auto assignments = parse_toml("a = 1e3\nb = true\nc.d = [1, 'x']\n", "c.toml");
  ASSERT_EQ(assignments.size(), 3U);
  EXPECT_EQ(assignments[0].values, std::vector<std::string>{"1000"});
  EXPECT_EQ(assignments[1].values, std::vector<std::string>{"true"});
  EXPECT_EQ(assignments[2].name, "c.d");
  EXPECT_EQ(assignments[2].values, (std::vector<std::string>{"1", "x"}));
  const std::string rule = "a value must be text, a number, true or false, or a list of these";
  EXPECT_EQ(message_of([] { parse_toml("a = 1\nb = 2020-01-01\n", "c.toml"); }),
            "c.toml:2: " + rule);
  EXPECT_EQ(message_of([] { parse_toml("a = [[1]]\n", "c.toml"); }), "c.toml:1: " + rule);
}

TEST(Toml, KeysOfTooManyPartsAreRefusedBeforeTheyFillTheStack) {
  const auto chain = [](std::string_view part, int count) {
    std::string text(part);
    for (int i = 1; i < count; ++i) (text += '.') += part;
    return text;
  };
  const std::string message = ": a key has more than 16 parts";
  for (const int count : {17, 50'000}) {
    for (const std::string_view part : {"a", "'a'", "\"a.b\"", " a "}) {
      const std::string key = chain(part, count);
      EXPECT_EQ(message_of([&] { parse_toml("x = 1\n" + key + " = 1\n", "c.toml"); }),
                "c.toml:2" + message);
      EXPECT_EQ(message_of([&] { parse_toml("[" + key + "]\n", "c.toml"); }), "c.toml:1" + message);
      EXPECT_EQ(message_of([&] { parse_toml("\nx = { " + key + " = 1 }", "c.toml"); }),
                "c.toml:2" + message);
    }
  }
  EXPECT_EQ(parse_toml(chain("a", 16) + " = 1\n", "c.toml").at(0).name, chain("a", 16));
}

TEST(Toml, DotsInStringsCommentsAndNumbersArePartsOfNoKey) {
  const std::string dots(100, '.');
  std::string text = "a = \"" + dots + "\" # " + dots + "\nb = '" + dots + "'\n";
  text += "c = \"\"\"\n" + dots + "\n\\\"" + dots + "\"\"\"\n";
  text += "d = '''\n" + dots + "'''\n";
  text += "e = [";
  for (int i = 0; i < 40; ++i) text += "0.5, ";
  const auto read = parse_toml(text + "1.5]\n", "c.toml");
  ASSERT_EQ(read.size(), 5U);
  EXPECT_EQ(read.back().line, 8);
}

TEST(Tunable, KnowsWhetherItWasGiven) {
  struct Pair {
    Tunable<int> left = Tunable<int>::by_default(1);
    Tunable<double> right = Tunable<double>::by_default(0.5);
    void visit(ParamVisitor& visitor) {
      visitor.field("left", left, "a number", Range{.low = 0});
      visitor.field("right", right, "another");
    }
  };
  Pair pair;
  EXPECT_FALSE(pair.left.is_given);
  set_param(pair, "left", {"1"});  // its default, but said
  EXPECT_TRUE(pair.left.is_given);
  EXPECT_FALSE(pair.right.is_given);
  EXPECT_EQ(pair.left, 1);
  EXPECT_EQ(message_of([&] { set_param(pair, "left", {"-1"}); }),
            "left = -1 is out of range; it must be x >= 0");
  pair.right = 0.7;
  EXPECT_TRUE(pair.right.is_given);
  EXPECT_EQ(list_params(pair)[1].value, "0.7");
}

}  // namespace
}  // namespace glassrank
