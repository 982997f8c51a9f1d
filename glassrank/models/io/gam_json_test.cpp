#include "glassrank/models/io/gam_json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/models/io/gam_csv.h"
#include "testing/message_of.h"
#include "testing/model_bodies.h"
#include "testing/random_gams.h"

namespace glassrank {
namespace {

Model two_effects() {
  const GamEffect curve{.axes = {{.feature = 0, .edges = {0.1F, 20}}},
                        .values = {0.5, 0.1, -0.3, 0},
                        .errors = {},
                        .weights = {3, 2, 1, 0}};
  const GamEffect surface{.axes = {{.feature = 0, .edges = {20}}, {.feature = 1, .edges = {}}},
                          .values = {1, 2, 3, 4, 5, 6},
                          .errors = {.1, .2, .3, .4, .5, .6},
                          .weights = {}};
  return {.body = Gam({.effects = {curve, surface},
                       .num_features = 2,
                       .feature_names = {"price, net", "pages"},
                       .intercept = 0.25,
                       .objective = "lambdarank"}),
          .provenance = {{"method", "ilmart"}}};
}

constexpr std::string_view kText = R"({
  "format": "glassrank-gam",
  "version": 1,
  "objective": "lambdarank",
  "num_features": 2,
  "feature_names": ["price, net", "pages"],
  "intercept": 0.25,
  "provenance": [
    ["method", "ilmart"]],
  "effects": [
    {
      "name": "price, net",
      "features": [0],
      "edges": [[0.1, 20]],
      "values": [0.5, 0.1, -0.3, 0],
      "weights": [3, 2, 1, 0]
    },
    {
      "name": "price, net x pages",
      "features": [0, 1],
      "edges": [[20],
        []],
      "values": [
        [1, 2],
        [3, 4],
        [5, 6]],
      "errors": [
        [0.1, 0.2],
        [0.3, 0.4],
        [0.5, 0.6]]
    }]
}
)";

TEST(GamJson, IsReadable) {
  EXPECT_EQ(write_gam_json(two_effects()), kText);
  EXPECT_TRUE(is_gam_json(kText));
  EXPECT_FALSE(is_gam_json("{\"learner\": 1}"));
}

TEST(GamJson, ComesBackToTheBit) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    GamMaker maker(seed);
    const Model model{.body = maker.gam({}), .provenance = {{"a", "\"b\""}, {"a", "c"}}};
    const std::string text = write_gam_json(model);
    const Model read = read_gam_json(text);
    RC_ASSERT(gam_of(read).parts() == gam_of(model).parts());
    RC_ASSERT(read.provenance == model.provenance);
    RC_ASSERT(write_gam_json(read) == text);  // the signs of zeros too
  }));
}

TEST(GamJson, SaysWhatIsWrong) {
  const auto problem = [](std::string_view was, std::string_view is) {
    std::string text(kText);
    const std::size_t at = text.find(was);
    EXPECT_NE(at, std::string::npos) << was;
    text.replace(at, was.size(), is);
    return message_of([&] { read_gam_json(text); });
  };
  EXPECT_EQ(message_of([] { read_gam_json("[]"); }), "an object with 'format' is expected");
  EXPECT_EQ(problem("glassrank-gam", "x"), "'format' must be \"glassrank-gam\"");
  EXPECT_EQ(problem("\"version\": 1", "\"version\": 2"),
            "the model has format version 2; this program reads version 1");
  EXPECT_EQ(problem("\"num_features\": 2", "\"num_features\": -2"),
            "'num_features' must hold whole numbers from 0 on");
  EXPECT_EQ(problem("\"intercept\": 0.25,", ""), "'intercept' is missing");
  EXPECT_EQ(problem("\"intercept\"", "\"intercpt\""),
            "unknown key 'intercpt'; did you mean 'intercept'?");
  EXPECT_EQ(problem("\"objective\"", "\"objektive\""),
            "unknown key 'objektive'; did you mean 'objective'?");
  EXPECT_EQ(problem("\"weights\"", "\"weight\""),
            "effect 0: unknown key 'weight'; did you mean 'weights'?");
  EXPECT_EQ(problem("\"pages\"", "\"price, net\""),
            "features 0 and 1 are both named 'price, net'; names must differ");
  EXPECT_EQ(problem("\"intercept\": 0.25", "\"intercept\": \"x\""),
            "'intercept' must hold numbers");
  EXPECT_EQ(problem("\"lambdarank\"", "3"), "'objective' must hold texts");
  EXPECT_EQ(problem("\"effects\": [", "\"effects\": {}, \"provenance\": ["),
            "'effects' is not an array");
  EXPECT_EQ(problem("[\"method\", \"ilmart\"]", "3"),
            "'provenance' must hold pairs of a key and a value");
  EXPECT_EQ(problem("[[0.1, 20]]", "[]"),
            "effect 0: 1 features and 0 lists of edges; there must be one or two of both");
  EXPECT_EQ(problem("[[0.1, 20]]", "[3]"), "effect 0: 'edges' must hold an array per feature");
  EXPECT_EQ(problem("[0]", "[5000000000]"), "effect 0: there is no feature 5000000000");
  EXPECT_EQ(problem("0.5, 0.1, -0.3, 0", "0.5"), "effect 0: 1 values for 4 cells");
  EXPECT_EQ(problem("[3, 4]", "[3]"), "effect 1: 'values': row 1 must be an array of 2 numbers");
}

TEST(GamJson, WritesNoModelItWouldNotRead) {
  const auto named = [](std::vector<std::string> names) {
    return Model{.body = Gam({.effects = {}, .num_features = 2, .feature_names = std::move(names)}),
                 .provenance = {}};
  };
  EXPECT_EQ(message_of([&] { write_gam_json(named({"a", "a"})); }),
            "features 0 and 1 are both named 'a'; names must differ");
  // Latin-1: different, but alike once written.
  const Model read =
      read_gam_json(write_gam_json(named({"gr\xF6\xDF"
                                          "e",
                                          "gr\xFC\xDF"
                                          "e"})));
  EXPECT_EQ(feature_names_of(read)[0], feature_names_of(read)[1]);
}

TEST(GamCsv, HasALinePerCell) {
  EXPECT_EQ(write_gam_csv(two_effects()),
            "effect,feature_1,lower_1,upper_1,feature_2,lower_2,upper_2,value,error,weight\n"
            "intercept,,,,,,,0.25,,\n"
            "\"price, net\",\"price, net\",-inf,0.1,,,,0.5,,3\n"
            "\"price, net\",\"price, net\",0.1,20,,,,0.1,,2\n"
            "\"price, net\",\"price, net\",20,inf,,,,-0.3,,1\n"
            "\"price, net\",\"price, net\",missing,missing,,,,0,,0\n"
            "\"price, net x pages\",\"price, net\",-inf,20,pages,-inf,inf,1,0.1,\n"
            "\"price, net x pages\",\"price, net\",-inf,20,pages,missing,missing,2,0.2,\n"
            "\"price, net x pages\",\"price, net\",20,inf,pages,-inf,inf,3,0.3,\n"
            "\"price, net x pages\",\"price, net\",20,inf,pages,missing,missing,4,0.4,\n"
            "\"price, net x pages\",\"price, net\",missing,missing,pages,-inf,inf,5,0.5,\n"
            "\"price, net x pages\",\"price, net\",missing,missing,pages,missing,missing,6,0.6,\n");
}

}  // namespace
}  // namespace glassrank
