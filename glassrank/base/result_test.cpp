#include "glassrank/base/result.h"

#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/json.h"

namespace glassrank {
namespace {

struct Fold {
  std::size_t num_trees = 0;
  std::optional<double> best;
  void visit(ResultVisitor& visitor) const {
    visitor.field("num_trees", num_trees, "trees kept");
    visitor.field("best", best, "best value");
  }
};

struct Whole {
  std::string model = "m.txt";
  bool is_done = true;
  int offset = -3;
  double mean = 0.5;
  std::vector<double> curve;
  std::vector<std::uint32_t> rows;
  std::vector<std::string> names;
  NamedValues valid;
  NamedTexts notes;
  Fold base;
  std::optional<Fold> cleaning;
  std::vector<Fold> folds;

  void visit(ResultVisitor& visitor) const {
    visitor.field("model", model, "the model file");
    visitor.field("is_done", is_done, "whether all went well");
    visitor.field("offset", offset, "a number below 0");
    visitor.field("mean", mean, "of all");
    visitor.field("curve", curve, "by round");
    visitor.field("rows", rows, "which");
    visitor.field("names", names, "of features");
    visitor.values("valid", valid, "metrics");
    visitor.texts("notes", notes, "in words");
    visitor.object("base", base, "the base");
    visitor.object("cleaning", cleaning, "the cleaning");
    visitor.list("folds", folds, "one by one");
  }
};

TEST(Result, BecomesJsonInTheOrderOfDeclaration) {
  Whole whole;
  whole.curve = {0.25, 0.5};
  whole.rows = {7, 8};
  whole.names = {"a"};
  whole.valid = {{"ndcg@10", 0.75}};
  whole.notes = {{"made by", "hand"}};
  whole.folds = {{.num_trees = 2, .best = 0.5}, {.num_trees = 3, .best = {}}};
  EXPECT_EQ(
      to_json(whole).dump(),
      R"({"model":"m.txt","is_done":true,"offset":-3,"mean":0.5,"curve":[0.25,0.5],)"
      R"("rows":[7,8],"names":["a"],"valid":{"ndcg@10":0.75},"notes":{"made by":"hand"},"base":{"num_trees":0},)"
      R"("folds":[{"num_trees":2,"best":0.5},{"num_trees":3}]})");
  whole.cleaning = Fold{.num_trees = 9, .best = {}};
  EXPECT_EQ(to_json(whole)["cleaning"]["num_trees"], 9);
}

TEST(Result, NumbersThatAreNotFiniteBecomeNull) {
  Whole whole;
  whole.mean = std::numeric_limits<double>::quiet_NaN();
  whole.curve = {std::numeric_limits<double>::infinity(), 1.0};
  whole.valid = {{"ap", -std::numeric_limits<double>::infinity()}};
  const Json json = to_json(whole);
  EXPECT_TRUE(json["mean"].is_null());
  EXPECT_EQ(json["curve"].dump(), "[null,1.0]");
  EXPECT_TRUE(json["valid"]["ap"].is_null());
}

TEST(Result, TextThatIsNotUtf8IsReplaced) {
  Whole whole;
  whole.model = "gr\xfc\x6e";
  whole.names = {"gr\xc3\xbcn"};
  whole.valid = {{"\xff", 1.0}};
  EXPECT_EQ(to_json(whole)["model"], "gr\xef\xbf\xbdn");
  EXPECT_EQ(to_json(whole)["names"][0], "gr\xc3\xbcn");
  EXPECT_NE(json_text(whole).find("\"\xef\xbf\xbd\": 1.0"), std::string::npos);
}

TEST(Result, IsDescribedWithDottedKeys) {
  EXPECT_EQ(results_markdown<Whole>(),
            "| key | type | meaning |\n|---|---|---|\n"
            "| `model` | text | the model file |\n"
            "| `is_done` | bool | whether all went well |\n"
            "| `offset` | int | a number below 0 |\n"
            "| `mean` | float | of all |\n"
            "| `curve` | list of float | by round |\n"
            "| `rows` | list of int | which |\n"
            "| `names` | list of text | of features |\n"
            "| `valid` | object of float | metrics |\n"
            "| `notes` | object of text | in words |\n"
            "| `base` | object | the base |\n"
            "| `base.num_trees` | int | trees kept |\n"
            "| `base.best` | float, or no key | best value |\n"
            "| `cleaning` | object, or no key | the cleaning |\n"
            "| `cleaning.num_trees` | int | trees kept |\n"
            "| `cleaning.best` | float, or no key | best value |\n"
            "| `folds` | list of objects | one by one |\n"
            "| `folds[].num_trees` | int | trees kept |\n"
            "| `folds[].best` | float, or no key | best value |\n");
}

}  // namespace
}  // namespace glassrank
