#include "glassrank/models/forest/tree_dot.h"

#include <array>
#include <cctype>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/base/error.h"
#include "glassrank/models/display_names.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

// The part of the DOT language's grammar (graphviz.org/doc/info/lang.html) that trees need: quoted
// and plain ids, attribute lists, subgraphs, edges. Throws when a text is not of it.
class DotParser {
 public:
  explicit DotParser(std::string_view text) : rest_(text) {
    expect("digraph");
    id();
    statements();
    if (!token().empty()) throw std::runtime_error("text after the graph");
  }

  using Attributes = std::map<std::string, std::string>;
  std::map<std::string, Attributes> nodes;
  std::vector<std::pair<std::pair<std::string, std::string>, Attributes>> edges;
  std::size_t num_subgraphs = 0;

 private:
  // "" at the end; strings keep their quotes.
  std::string token() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) {
      rest_.remove_prefix(1);
    }
    if (rest_.empty()) return "";
    std::size_t length = 1;
    if (rest_.front() == '"') {
      while (rest_.at(length) != '"') length += rest_[length] == '\\' ? 2 : 1;
      ++length;
    } else if (rest_.starts_with("->")) {
      length = 2;
    } else if (std::isalpha(static_cast<unsigned char>(rest_.front())) != 0) {
      while (
          length < rest_.size() &&
          (std::isalnum(static_cast<unsigned char>(rest_[length])) != 0 || rest_[length] == '_')) {
        ++length;
      }
    } else if (std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) {
      while (std::isdigit(static_cast<unsigned char>(rest_.at(length))) != 0) ++length;
    }
    const std::string found(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return found;
  }
  std::string peek() {
    const std::string_view kept = rest_;
    std::string found = token();
    rest_ = kept;
    return found;
  }
  void expect(std::string_view wanted) {
    const std::string found = token();
    if (found != wanted) throw std::runtime_error("expected " + std::string(wanted));
  }
  std::string id() {
    std::string found = token();
    const bool plain = std::isalnum(static_cast<unsigned char>(found.at(0))) != 0;
    if (!plain && found[0] != '"') throw std::runtime_error("not an id: " + found);
    return found;
  }
  Attributes attributes() {
    Attributes found;
    if (peek() != "[") return found;
    expect("[");
    while (peek() != "]") {
      const std::string name = id();
      expect("=");
      found[name] = id();
      if (peek() == ",") expect(",");
    }
    expect("]");
    return found;
  }
  void statements() {
    expect("{");
    while (peek() != "}") {
      const std::string first = id();
      if (first == "subgraph") {
        id();
        ++num_subgraphs;
        statements();
        continue;
      }
      if (peek() == "=") {
        expect("=");
        id();
      } else if (peek() == "->") {
        expect("->");
        const std::string second = id();
        edges.push_back({{first, second}, attributes()});
      } else {
        nodes[first] = attributes();
      }
      expect(";");
    }
    expect("}");
  }

  std::string_view rest_;
};

// What Graphviz shows for a quoted label.
std::string shown(std::string_view label) {
  std::string text;
  for (std::size_t i = 1; i + 1 < label.size(); ++i) {
    if (label[i] == '\\') {
      ++i;
      text += label[i] == 'n' ? '\n' : label[i];
    } else if (label.substr(i).starts_with("&amp;")) {
      text += '&';
      i += 4;
    } else {
      text += label[i];
    }
  }
  return text;
}

TEST(TreesDot, DrawsNodesLeavesAndBranches) {
  Tree tree{.nodes = {{.feature = 0, .threshold = 12.5F, .left = ~0, .right = ~1}},
            .leaf_values = {-0.25, 0.5},
            .statistics = {.node_gain = {310.25}, .node_count = {30}, .leaf_count = {10, 20}}};
  const Forest forest({.trees = {tree}, .num_features = 1});
  const std::vector<std::string> names = {"price \"net\" & \\N"};
  const DotParser graph(trees_dot(forest, std::array<std::size_t, 1>{0}, names));
  EXPECT_EQ(shown(graph.nodes.at("t0n0").at("label")),
            "price \"net\" & \\N <= 12.5\ngain 310.25\n30 documents");
  EXPECT_EQ(shown(graph.nodes.at("t0leaf0").at("label")), "-0.25\n10 documents");
  EXPECT_EQ(shown(graph.nodes.at("t0leaf1").at("label")), "0.5\n20 documents");
  ASSERT_EQ(graph.edges.size(), 2U);
  EXPECT_EQ(graph.edges[0].first, std::pair(std::string("t0n0"), std::string("t0leaf0")));
  EXPECT_EQ(shown(graph.edges[0].second.at("label")), "yes");
  EXPECT_EQ(shown(graph.edges[1].second.at("label")), "no, missing");
}

TEST(TreesDot, HasEveryNodeAndEdgeOfAnyForest) {
  rc::check([](std::uint64_t seed) {
    const Forest forest = ForestMaker(seed).forest({});
    std::vector<std::size_t> trees;
    std::size_t num_nodes = 0;
    for (std::size_t t = 0; t < forest.trees().size(); ++t) {
      trees.push_back(t);
      num_nodes += forest.trees()[t].nodes.size();
    }
    const DotParser graph(trees_dot(forest, trees, display_names(forest)));
    RC_ASSERT(graph.num_subgraphs == trees.size());
    RC_ASSERT(graph.edges.size() == 2 * num_nodes);
    // Two more "nodes" are the defaults of nodes and edges.
    RC_ASSERT(graph.nodes.size() == 2 * num_nodes + trees.size() + 2);
    for (const auto& [ends, attributes] : graph.edges) {
      RC_ASSERT(graph.nodes.contains(ends.first) && graph.nodes.contains(ends.second));
    }
  });
}

TEST(DotString, ShowsAnyTextAsItIs) {
  rc::check([](const std::vector<unsigned char>& bytes) {
    std::string text;
    for (const unsigned char byte : bytes) {
      if (byte >= 0x20 && byte != 0x7F) text += static_cast<char>(byte);
    }
    RC_ASSERT(shown(dot_string(text)) == text);
  });
  EXPECT_EQ(dot_string("a\nb\tc\x7f"), "\"a\\nb c \"");
}

TEST(TreesDot, RefusesATreeThatIsNotThere) {
  EXPECT_THROW(trees_dot(Forest(), std::array<std::size_t, 1>{0}, {}), Error);
}

}  // namespace
}  // namespace glassrank
