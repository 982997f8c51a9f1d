// RankLib and QuickRank models: both are XML ensembles with another frame around them.

#include "glassrank/models/io/xml_ensemble.h"

#include <array>
#include <memory>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/models/io/quickrank_xml.h"
#include "glassrank/models/io/ranklib_xml.h"
#include "testing/message_of.h"
#include "testing/model_bodies.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// x1 <= 0.5 ? (x0 <= -2 ? 10 : 20) : 30, each times 0.1.
std::string ensemble() {
  return "<ensemble>\n\t<tree id=\"1\" weight=\"0.1\">\n\t\t<split>\n\t\t\t<feature> 2 </feature>\n"
         "\t\t\t<threshold> 0.5 </threshold>\n\t\t\t<split pos=\"left\">\n"
         "\t\t\t\t<feature> 1 </feature>\n\t\t\t\t<threshold> -2.0 </threshold>\n"
         "\t\t\t\t<split pos=\"left\">\n\t\t\t\t\t<output> 10.0 </output>\n\t\t\t\t</split>\n"
         "\t\t\t\t<split pos=\"right\">\n\t\t\t\t\t<output> 20.0 </output>\n\t\t\t\t</split>\n"
         "\t\t\t</split>\n\t\t\t<split pos=\"right\">\n\t\t\t\t<output> 30.0 </output>\n"
         "\t\t\t</split>\n\t\t</split>\n\t</tree>\n</ensemble>\n";
}
std::string ranklib_text() {
  return "## LambdaMART\n## No. of trees = 1\n## No. of leaves = 3\n## Learning rate = 0.1\n\n" +
         ensemble();
}
std::string quickrank_text() {
  return "<?xml version=\"1.0\"?>\n<ranker>\n<info>\n<type>LAMBDAMART</type>\n<trees>1</trees>\n"
         "</info>\n" +
         ensemble() + "</ranker>\n";
}

class Notices final : public LogSink {
 public:
  void log(LogLevel, std::string_view message) override { texts.emplace_back(message); }
  std::vector<std::string> texts;
};

// The same trees where missing values go as the format has it.
Forest with_missing(const Forest& forest, NanRule rule) {
  std::vector<Tree> trees(forest.trees().begin(), forest.trees().end());
  for (Tree& tree : trees) {
    for (TreeNode& node : tree.nodes) {
      node.missing_left = rule == NanRule::kAsZero && 0.0F <= node.threshold;
    }
  }
  return Forest({.trees = std::move(trees),
                 .num_features = forest.num_features(),
                 .feature_names = {},
                 .base_score = forest.base_score(),
                 .objective = {}});
}

TEST(RanklibXml, IsRead) {
  const Model model = read_ranklib_xml(ranklib_text());
  const Forest forest = forest_of(model);
  EXPECT_EQ(forest.num_features(), 2U);
  EXPECT_EQ(forest.objective(), "LambdaMART");
  EXPECT_EQ(forest.score(std::array{-2.0F, 0.5F}), 0.1 * 10);
  EXPECT_EQ(forest.score(std::array{-1.9F, 0.5F}), 0.1 * 20);
  EXPECT_EQ(forest.score(std::array{0.0F, 0.6F}), 0.1 * 30);
  // A missing value is 0 to RankLib: 0 <= 0.5 goes left, 0 <= -2 does not.
  EXPECT_EQ(forest.score(std::array{kNan, kNan}), 0.1 * 20);
  EXPECT_EQ(model.provenance, (Provenance{{"format", "ranklib"},
                                          {"ranklib.No. of trees", "1"},
                                          {"ranklib.No. of leaves", "3"},
                                          {"ranklib.Learning rate", "0.1"}}));
}

TEST(QuickrankXml, IsRead) {
  const Model model = read_quickrank_xml(quickrank_text());
  EXPECT_EQ(forest_of(model).score(std::array{-2.0F, 0.5F}), 0.1 * 10);
  // NaN <= 0.5 is false: right.
  EXPECT_EQ(forest_of(model).score(std::array{-2.0F, kNan}), 0.1 * 30);
  EXPECT_EQ(model.provenance, (Provenance{{"format", "quickrank"},
                                          {"quickrank.type", "LAMBDAMART"},
                                          {"quickrank.trees", "1"}}));
}

TEST(RanklibXml, WritesOneTagALine) {
  const Model model = read_ranklib_xml(ranklib_text());
  std::string expected = ranklib_text();
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"0.1\"", "\"1.0\""},
                                 {"10.0", "1"},
                                 {"20.0", "2"},
                                 {"30.0", "3"},
                                 {"-2.0", "-2"}}) {
    expected.replace(expected.find(from), from.size(), to);
  }
  EXPECT_EQ(write_ranklib_xml(model, {}), expected);
}

TEST(XmlEnsemble, KeepsScoresAndBecomesStable) {
  EXPECT_TRUE(rc::check("round trip", [](std::uint64_t seed) {
    ForestMaker maker(seed);
    const Forest made = maker.forest({.zero_is_missing = false});
    for (const NanRule rule : {NanRule::kAsZero, NanRule::kGoesRight}) {
      const bool is_ranklib = rule == NanRule::kAsZero;
      const Model model{.body = with_missing(made, rule), .provenance = {}};
      const auto write = is_ranklib ? write_ranklib_xml : write_quickrank_xml;
      const auto read = is_ranklib ? read_ranklib_xml : read_quickrank_xml;
      const std::string text = write(model, {});
      const Model read_back = read(text);
      for (int i = 0; i < 30; ++i) {
        const std::vector<float> row = maker.row(made);
        RC_ASSERT(forest_of(read_back).score(row) == forest_of(model).score(row));
      }
      RC_ASSERT(same_forest(forest_of(read(write(read_back, {}))), forest_of(read_back)));
    }
  }));
}

TEST(XmlEnsemble, ReadsAChainOfAHundredThousandNodes) {
  Tree tree;
  constexpr std::int32_t kNodes = 100'000;
  for (std::int32_t n = 0; n < kNodes; ++n) {
    tree.nodes.push_back({.left = n + 1 < kNodes ? n + 1 : ~kNodes, .right = ~n});
  }
  tree.leaf_values.resize(kNodes + 1, 1.0);
  const Model model{.body = Forest({.trees = {tree}, .num_features = 1}), .provenance = {}};
  EXPECT_EQ(forest_of(read_ranklib_xml(write_ranklib_xml(model, {}))).trees()[0].nodes.size(),
            tree.nodes.size());
}

TEST(XmlEnsemble, SaysHowManyNodesLoseTheirMissingSide) {
  const Tree tree{.nodes = {{.threshold = 1, .left = 1, .right = ~2},
                            {.threshold = -1, .left = ~0, .right = ~1}},
                  .leaf_values = {1, 2, 3},
                  .statistics = {}};
  const Model model{.body = Forest({.trees = {tree}, .num_features = 1}), .provenance = {}};
  const auto notices = std::make_shared<Notices>();
  Context context;
  context.log_sink = notices;
  write_ranklib_xml(model, context);
  write_quickrank_xml(model, context);
  EXPECT_EQ(notices->texts,
            (std::vector<std::string>{"RankLib has no missing values (they count as 0): 1 of 2 "
                                      "nodes will send them the other way"}));
}

TEST(XmlEnsemble, RefusesZerosThatCountAsMissing) {
  const Tree tree{.nodes = {{.threshold = 1, .left = ~0, .right = ~1, .zero_is_missing = true}},
                  .leaf_values = {1, 2},
                  .statistics = {}};
  const Model model{.body = Forest({.trees = {tree}, .num_features = 1}), .provenance = {}};
  EXPECT_EQ(message_of([&] { write_ranklib_xml(model, {}); }),
            "tree 0, node 0: zero counts as missing there, which RankLib cannot express");
  EXPECT_EQ(message_of([&] { write_quickrank_xml(model, {}); }),
            "tree 0, node 0: zero counts as missing there, which QuickRank cannot express");
}

TEST(XmlEnsemble, SaysWhatIsWrong) {
  const auto problem = [](const std::string& from, const std::string& to) {
    std::string text = ranklib_text();
    EXPECT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    return message_of([&] { read_ranklib_xml(text); });
  };
  EXPECT_EQ(problem("<feature> 2 </feature>", ""), "tree 0: a split has no <feature>");
  EXPECT_EQ(problem("> 2 <", "> 0 <"), "tree 0: feature 0: features are counted from 1");
  EXPECT_EQ(problem("> 2 <", "> -2 <"), "tree 0: <feature> holds '-2', not a number it can be");
  EXPECT_EQ(problem("> 0.5 <", "> NaN <"), "tree 0: a threshold is NaN");
  EXPECT_EQ(problem("pos=\"left\"", "pos=\"top\""), "tree 0: a split has no <split pos=\"left\">");
  EXPECT_EQ(problem("weight=\"0.1\"", "weight=\"x\""), "tree 0: weight=\"x\" is not a number");
  EXPECT_EQ(problem("> 30.0 <", "> inf <"), "tree 0: leaf 2: value inf is not finite");
  EXPECT_EQ(problem("</tree>", "").substr(0, 5), "byte ");
  EXPECT_EQ(message_of([] { read_ranklib_xml("## LambdaMART\n\n<trees></trees>"); }),
            "there is no <ensemble> of trees");
  EXPECT_EQ(message_of([] {
              read_ranklib_xml("## LambdaMART\n\n<ensemble><tree weight=\"1\"/></ensemble>");
            }),
            "tree 0: the tree has no <split>");
  EXPECT_EQ(message_of([] { read_quickrank_xml(ensemble()); }), "there is no <ensemble> of trees");
}

TEST(XmlEnsemble, WithoutATreeIsRefused) {
  EXPECT_EQ(message_of([] { read_ranklib_xml("## LambdaMART\n\n<ensemble></ensemble>"); }),
            "the <ensemble> has no <tree>");
  EXPECT_EQ(message_of([] { read_quickrank_xml("<ranker><ensemble/></ranker>"); }),
            "the <ensemble> has no <tree>");
  // Ours is written with one, of a leaf.
  const Model empty{.body = Forest({.trees = {},
                                    .num_features = 1,
                                    .feature_names = {},
                                    .base_score = 0,
                                    .objective = "LambdaMART"}),
                    .provenance = {}};
  const Model read = read_ranklib_xml(write_ranklib_xml(empty, {}));
  EXPECT_EQ(require_forest(read, "it").trees().size(), 1U);
  EXPECT_EQ(require_forest(read, "it").score(std::vector<float>{3.0F}), 0.0);
}

}  // namespace
}  // namespace glassrank
