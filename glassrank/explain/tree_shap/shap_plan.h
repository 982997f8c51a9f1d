#pragma once
// A forest laid out for path-dependent TreeSHAP: what shap_kernel.h reads. This page has the
// mathematics of both.
//
// Let every feature j be known with probability p_j, and let V(p) be the expected output of a tree
// when rows go both ways, by share of cover (cover.h), at nodes whose feature is not known (Owen's
// multilinear extension). With all p_j = p
//
//   phi_i  = integral over p from 0 to 1 of dV/dp_i                     Shapley value
//   I_ij   = integral over p of d2V/dp_i dp_j                           Shapley interaction
//
// dV/dp_i is a polynomial of degree d - 1 in p, where d is the number of different features on a
// path. Gauss-Legendre with ceil(d / 2) points is therefore exact, and each point is a sweep down
// and up the tree of its own. At one point, with r the product of the shares that the feature's
// splits above the node leave open, o whether the row passes all of these splits (r = o = 1 at a
// feature's first split), u = p o + (1 - p) r, and the children first and second:
//
//   step   s = o (share(second) if the row goes to first, else -share(first))
//   alpha  = p / u, beta = r / u^2 with o = 1                     (first split: alpha = p, beta =
//   1) down   C(root) = weight of the point;  a = share(first) + alpha s
//          C(first) = a C(node), C(second) = C(node) - C(first)           probability of getting
//          here
//   up     G(leaf) = its value;  D = G(first) - G(second);  G(node) = G(second) + a D
//   value  phi_feature += s sum over points of beta C(node) D
//
// This follows from u(first) + u(second) = u(node): no division and no choice is left in the sweep
// but one per node and row for s. All of C and G are means, so nothing cancels however deep a tree
// is; leaves cost nothing. Work: inner nodes x points per row and tree, about 9 operations each.
//
// Nodes lie in runs of one kind (which children are nodes, whether the feature has split above), so
// that the sweeps have no branches; a parent comes before its children.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "glassrank/explain/tree_shap/cover.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

inline constexpr std::uint32_t kNoShapEdge = std::numeric_limits<std::uint32_t>::max();

struct ShapNode {
  // A row answers yes if x (with its sign changed where `flip` is the sign bit) <= threshold.
  // Missing values always answer no; that is why "x > t" is asked where they go left.
  double threshold = 0;
  std::uint64_t flip = 0;
  double step_if_yes = 0;
  double step_if_no = 0;
  double share = 0;                        // of the first child
  double values[2] = {0, 0};               // of children that are leaves
  std::uint32_t column = 0;                // index into ShapPlan::columns
  std::uint32_t feature = 0;               // index into ShapPlan::features
  std::uint32_t nodes[2] = {};             // slots of children that are nodes
  std::uint32_t edge_above = kNoShapEdge;  // the feature's last edge above; see ShapPath
  std::uint32_t repeat = 0;                // with one: its number among the tree's repeats
};

// What only building needs. Edge 2 slot + answer leads out of the node in `slot`: answer 0 is yes.
struct ShapPath {
  std::uint32_t parent_edge = kNoShapEdge;  // the one that leads here
  double ratio[2] = {1, 1};                 // by answer: r of the feature behind that edge
};

enum class ShapChildren : std::uint8_t { kTwoNodes, kOneNode, kNoNode };  // one node: the first

struct ShapRun {
  std::uint32_t begin = 0;  // slots
  std::uint32_t end = 0;
  ShapChildren children = ShapChildren::kNoNode;
  bool repeats = false;
};

// Some of a tree's points, as many as a kernel takes at once.
struct ShapPass {
  std::size_t num_points = 0;
  std::size_t points = 0;   // where they start in ShapPlan::points; their weights come after them
  std::size_t repeats = 0;  // in ShapPlan::repeats: for each repeat alphas, then betas
};

struct ShapTree {
  std::size_t nodes = 0;  // where its slot 0 is in ShapPlan::nodes; the root
  std::size_t num_nodes = 0;
  std::size_t runs = 0;
  std::size_t num_runs = 0;
  std::size_t passes = 0;
  std::size_t num_passes = 0;
};

// One value of a row per column: a feature's, where zeros count as missing in the second case; or,
// for every set of categories that a node asks for, 0 in the set and 1 beside it.
struct ShapColumn {
  std::uint32_t feature = 0;
  bool zero_is_missing = false;
  CategorySet categories = {};
};

struct ShapPlan {
  static constexpr std::size_t kMaxPoints = 8;  // of a pass

  std::size_t num_features = 0;         // of the forest
  double base_value = 0;                // score of a row of which nothing is known
  std::size_t max_nodes = 0;            // of a tree
  std::vector<std::uint32_t> features;  // those the forest uses, ascending
  std::vector<ShapColumn> columns;
  std::vector<ShapTree> trees;  // those with nodes
  std::vector<ShapNode> nodes;
  std::vector<ShapPath> paths;  // as nodes
  std::vector<ShapRun> runs;
  std::vector<ShapPass> passes;
  std::vector<double> points;
  std::vector<double> repeats;
};

// Throws as resolve_cover and node_shares do, naming the tree.
ShapPlan make_shap_plan(const Forest& forest, Cover cover);

}  // namespace glassrank
