#include "glassrank/models/io/native.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "testing/message_of.h"
#include "testing/model_bodies.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

// Content with the checksum line it needs.
std::string sealed(const std::string& content) {
  return content + fmt::format("checksum {:016x}\n", hash_name(content));
}

std::string problem_of(const std::string& content) {
  return message_of([&] { read_native(sealed(content)); });
}

std::string head() { return "glassrank model 1\nprovenance 0\nbody forest\n"; }
std::string forest_head() { return head() + "objective \nbase_score 0\nfeatures 2\n"; }

TEST(Native, WritesWhatItsHeaderSays) {
  const Tree tree{.nodes = {{.feature = 1,
                             .threshold = 0.1F,
                             .left = ~0,
                             .right = ~1,
                             .missing_left = true,
                             .zero_is_missing = true}},
                  .leaf_values = {-0.25, 1e-300},
                  .statistics = {.node_gain = {7.5}, .leaf_count = {3, 4}}};
  const Model model{.body = Forest({.trees = {tree},
                                    .num_features = 2,
                                    .feature_names = {"bm25", "tab\there"},
                                    .base_score = 0.5,
                                    .objective = "lambdarank"}),
                    .provenance = {{"seed", "42"}, {"note", "two\nlines \\ more"}}};
  EXPECT_EQ(write_native(model), sealed("glassrank model 1\n"
                                        "provenance 2\n"
                                        "seed\t42\n"
                                        "note\ttwo\\nlines \\\\ more\n"
                                        "body forest\n"
                                        "objective lambdarank\n"
                                        "base_score 0.5\n"
                                        "features 2 named\n"
                                        "bm25\n"
                                        "tab\\there\n"
                                        "trees 1\n"
                                        "tree 2 node_gain leaf_count\n"
                                        "1 0.1 -1 -2 lz 7.5\n"
                                        "-0.25 3\n"
                                        "1e-300 4\n"));
}

TEST(Native, ReadsBackTheSameModelAndBytes) {
  EXPECT_TRUE(rc::check("round trip", [](std::uint64_t seed) {
    const Model model{.body = ForestMaker(seed).forest({}),
                      .provenance = {{"seed", fmt::to_string(seed)}, {"odd\t\r\n\\", ""}}};
    const std::string text = write_native(model);
    const Model read = read_native(text);
    RC_ASSERT(same_forest(forest_of(read), forest_of(model)));
    RC_ASSERT(read.provenance == model.provenance);
    RC_ASSERT(write_native(read) == text);
  }));
}

TEST(Native, NoticesAnyChangedByteAndAnyMissingEnd) {
  const std::string text = write_native({.body = ForestMaker(7).forest({}), .provenance = {}});
  ASSERT_GT(text.size(), 100U);
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const int mask : {1, 32, 128}) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ mask);
      EXPECT_NE(message_of([&] { read_native(changed); }), "no error") << i;
    }
    EXPECT_NE(message_of([&] { read_native(text.substr(0, i)); }), "no error") << i;
  }
  EXPECT_NE(message_of([&] { read_native(text + "\n"); }), "no error");
}

TEST(Native, SaysWhatIsWrongWithTheFile) {
  EXPECT_EQ(message_of([] { read_native("tree\n"); }),
            "not a glassrank model: it must start with 'glassrank model 1'");
  EXPECT_EQ(message_of([] { read_native(sealed("glassrank model 3\n")); }),
            "the model file has format version '3'; this program reads versions 1 and 2");
  EXPECT_EQ(message_of([] { read_native(forest_head()); }),
            "the model file is cut off or changed: it must end in a checksum line");
  EXPECT_EQ(message_of([] { read_native("glassrank model 1\nchecksum 0000000000000000\n"); }),
            fmt::format("the model file was changed after it was written: its checksum is {:016x}, "
                        "the file says 0000000000000000",
                        hash_name("glassrank model 1\n")));
}

TEST(Native, SaysWhereTheContentIsWrong) {
  EXPECT_EQ(problem_of("glassrank model 1\nprovenance 1\nno tab\n"),
            "line 3: provenance must be 'key<tab>value'");
  EXPECT_EQ(problem_of("glassrank model 1\nprovenance 99\na\tb\n"),
            "line 2: 99 lines cannot follow in the 4 bytes left");
  EXPECT_EQ(problem_of("glassrank model 1\nprovenance 1\na\t\\x\n"),
            "line 3: a backslash must be followed by one of \\ t n r");
  EXPECT_EQ(problem_of("glassrank model 1\nprovenance x\n"), "line 2: 'x' is not a count");
  EXPECT_EQ(problem_of("glassrank model 1\nprovenance 0\nbody net\n"),
            "line 3: unknown kind of model 'net'");
  EXPECT_EQ(problem_of(head() + "base_score 1\n"), "line 4: 'objective ...' is expected here");
  EXPECT_EQ(problem_of(head()), "line 3: the model ends too early");
  EXPECT_EQ(problem_of(head() + "objective \nbase_score x\n"), "line 5: 'x' is not a number");
  EXPECT_EQ(problem_of(head() + "objective \nbase_score nan\nfeatures 2\ntrees 0\n"),
            "base score nan is not finite");
  EXPECT_EQ(problem_of(head() + "objective \nbase_score 0\nfeatures two\n"),
            "line 6: 'features N' or 'features N named' is expected here");
  EXPECT_EQ(problem_of(forest_head() + "trees 0\nmore\n"), "line 7: text after the model's end");
}

TEST(Native, SaysWhereATreeIsWrong) {
  const auto problem = [](const std::string& tree) {
    return problem_of(forest_head() + "trees 1\n" + tree);
  };
  EXPECT_EQ(problem("leaf 1\n"), "line 8: 'tree ...' is expected here");
  EXPECT_EQ(problem("tree 0\n1\n"), "line 8: a tree has at least one leaf");
  EXPECT_EQ(problem("tree 4000000000\n1\n"),
            "line 8: 4000000000 lines cannot follow in the 2 bytes left");
  EXPECT_EQ(problem("tree 1 colour\n1\n"), "line 8: unknown statistic 'colour'");
  EXPECT_EQ(problem("tree 1\n1 2\n"), "line 9: the line is too long");
  EXPECT_EQ(problem("tree 1 leaf_count\n1\n"), "line 9: the line is too short");
  EXPECT_EQ(problem("tree 1\none\n"), "line 9: 'one' is not a number");
  EXPECT_EQ(problem("tree 2\n0 1 -1 -2 x\n1\n2\n"), "line 9: 'x' must be l, r, lz or rz");
  EXPECT_EQ(problem("tree 2\n0 nan -1 -2 l\n1\n2\n"), "tree 0: node 0: threshold is NaN");
  EXPECT_EQ(
      problem("tree 2\n0 1 0 -2 l\n1\n2\n"),
      "tree 0: node 0: child node 0 is already the child of another node or its own ancestor");
  EXPECT_EQ(problem("tree 1\ninf\n"), "tree 0: leaf 0: value inf is not finite");
}

}  // namespace
}  // namespace glassrank
