#include "glassrank/boosting/tree/binned_tree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/boosting/tree/route_kernel.h"

namespace glassrank {
namespace {

// Rows that go through the tree together: the bits of all nodes stay in the cache.
constexpr std::size_t kBlockWords = 32;
constexpr std::size_t kBlockRows = kBlockWords * kWordRows;
constexpr std::size_t kChunkRows = 4 * kBlockRows;

// A node with its column at hand. Places count nodes first, then leaves.
struct Step {
  PartitionRule rule;
  std::size_t place;
  std::size_t left;
  std::size_t right;
};

// Parents come before their children.
std::vector<Step> steps_of(const BinnedTree& tree, const BinnedDataset& data) {
  const auto place_of = [&](std::int32_t child) {
    return child >= 0 ? static_cast<std::size_t>(child)
                      : tree.nodes.size() + static_cast<std::size_t>(~child);
  };
  std::vector<Step> steps;
  std::vector<std::size_t> open;
  if (!tree.nodes.empty()) open.push_back(0);
  for (std::size_t next = 0; next < open.size(); ++next) {
    const std::size_t at = open[next];
    const BinnedNode& node = tree.nodes[at];
    steps.push_back({.rule = rule_of(node, data),
                     .place = at,
                     .left = place_of(node.left),
                     .right = place_of(node.right)});
    for (const std::int32_t child : {node.left, node.right}) {
      if (child >= 0) open.push_back(static_cast<std::size_t>(child));
    }
  }
  return steps;
}

// The bits of rows [begin, end) that are in each leaf, leaf by leaf, are added to their scores.
class BlockWalk {
 public:
  BlockWalk(std::span<const Step> steps, std::span<const double> values)
      : steps_(steps), values_(values), bits_((steps.size() + values.size()) * kBlockWords) {}

  void add(std::size_t begin, std::size_t end, std::span<double> scores) {
    const std::size_t num_rows = end - begin;
    const std::size_t num_words = (num_rows + kWordRows - 1) / kWordRows;
    for (std::size_t w = 0; w < num_words; ++w) bits_[w] = ~std::uint64_t{0};
    if (num_rows % kWordRows != 0) bits_[num_words - 1] >>= kWordRows - num_rows % kWordRows;
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const Step& step = steps_[s];
      // Columns lie far apart: the next one is on its way while this one is read.
      if (s + 1 < steps_.size()) fetch(steps_[s + 1], begin, num_words);
      route_rows(step.rule, begin, words(step.place).first(num_words), words(step.left).data(),
                 words(step.right).data());
    }
    if (values_.size() <= kMostLabels) {
      add_by_label(scores.subspan(begin, num_rows), num_words);
    } else {
      add_by_bit(scores.subspan(begin, num_rows), num_words);
    }
  }

 private:
  static constexpr std::size_t kMostLabels = 256;

  static void fetch(const Step& step, std::size_t begin, std::size_t num_words) {
    if (step.rule.column.is_wide()) return;
    const std::uint8_t* const codes = step.rule.column.narrow().data() + begin;
    for (std::size_t w = 0; w < num_words; ++w) __builtin_prefetch(codes + w * kWordRows);
  }

  // Rows learn the number of their leaf, then look its value up in order.
  void add_by_label(std::span<double> scores, std::size_t num_words) {
    for (std::size_t leaf = 0; leaf < values_.size(); ++leaf) {
      label_rows(words(steps_.size() + leaf).first(num_words), static_cast<std::uint8_t>(leaf),
                 labels_.data());
    }
    for (std::size_t r = 0; r < scores.size(); ++r) scores[r] += values_[labels_[r]];
  }

  void add_by_bit(std::span<double> scores, std::size_t num_words) {
    for (std::size_t leaf = 0; leaf < values_.size(); ++leaf) {
      const std::span<const std::uint64_t> own = words(steps_.size() + leaf);
      for (std::size_t w = 0; w < num_words; ++w) {
        for (std::uint64_t rest = own[w]; rest != 0; rest &= rest - 1) {
          const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
          scores[w * kWordRows + bit] += values_[leaf];
        }
      }
    }
  }

  std::span<std::uint64_t> words(std::size_t place) {
    return std::span(bits_).subspan(place * kBlockWords, kBlockWords);
  }

  std::span<const Step> steps_;
  std::span<const double> values_;
  std::vector<std::uint64_t> bits_;
  std::array<std::uint8_t, kBlockRows> labels_;
};

CategorySet categories_of(const BinnedNode& node, const BinEdges& edges) {
  std::vector<std::uint32_t> codes;
  for (std::uint32_t bin = 0; bin < edges.num_value_bins(node.feature); ++bin) {
    if (!node.bins.contains(bin)) continue;
    if (const auto code = edges.category_of(node.feature, bin)) codes.push_back(*code);
  }
  return CategorySet(codes);
}

BinnedNode set_node(const TreeNode& node, const BinEdges& edges) {
  BinnedNode result{
      .feature = node.feature, .left = node.left, .right = node.right, .asks_set = true};
  for (const std::uint32_t code : node.categories.codes()) {
    const std::size_t bin = edges.bin(node.feature, static_cast<float>(code));
    if (node.missing_left || edges.category_of(node.feature, bin) != code) {
      fail(ErrorKind::kUsage,
           "the model asks for category {} of feature {}, which has no bin of its own in this "
           "data; go on only from a model trained on the same bins",
           code, node.feature);
    }
    result.bins.add(bin);
  }
  return result;
}

}  // namespace

PartitionRule rule_of(const BinnedNode& node, const BinnedDataset& data) {
  const auto missing = static_cast<std::uint32_t>(data.missing_bin(node.feature));
  return {.column = data.column(node.feature),
          .bin = node.bin,
          .also_left = node.missing_left ? missing : node.bin,
          .set = node.asks_set ? &node.bins : nullptr};
}

std::vector<TreeNode> to_tree_nodes(const BinnedTree& tree, const BinEdges& edges) {
  std::vector<TreeNode> nodes;
  for (const BinnedNode& node : tree.nodes) {
    if (node.asks_set) {
      nodes.push_back({.feature = node.feature,
                       .left = node.left,
                       .right = node.right,
                       .categories = categories_of(node, edges)});
      continue;
    }
    const std::span<const float> cuts = edges.cuts(node.feature);
    const float threshold =
        node.bin < cuts.size() ? cuts[node.bin] : std::numeric_limits<float>::infinity();
    nodes.push_back({.feature = node.feature,
                     .threshold = threshold,
                     .left = node.left,
                     .right = node.right,
                     .missing_left = node.missing_left});
  }
  return nodes;
}

BinnedTree to_binned_tree(const Tree& tree, const BinEdges& edges) {
  BinnedTree binned{.nodes = {}, .leaf_values = tree.leaf_values};
  for (const TreeNode& node : tree.nodes) {
    if (node.feature >= edges.num_features()) {
      fail(ErrorKind::kUsage, "the model splits on feature {}, the data has {} features",
           node.feature, edges.num_features());
    }
    if (node.asks_category()) {
      binned.nodes.push_back(set_node(node, edges));
      continue;
    }
    const std::span<const float> cuts = edges.cuts(node.feature);
    const auto cut = std::ranges::lower_bound(cuts, node.threshold);
    const bool is_cut = cut == cuts.end() ? node.threshold == std::numeric_limits<float>::infinity()
                                          : *cut == node.threshold;
    if (!is_cut || node.zero_is_missing) {
      fail(ErrorKind::kUsage,
           "the model splits feature {} at {}, which is not a bin border of this data; go on only "
           "from a model trained on the same bins",
           node.feature, node.threshold);
    }
    binned.nodes.push_back({.feature = node.feature,
                            .bin = static_cast<std::uint32_t>(cut - cuts.begin()),
                            .missing_left = node.missing_left,
                            .left = node.left,
                            .right = node.right});
  }
  return binned;
}

void add_tree_scores(const BinnedTree& tree, const BinnedDataset& data, std::span<double> scores,
                     const Context& context) {
  const std::vector<Step> steps = steps_of(tree, data);
  parallel_for(context, data.num_rows(), kChunkRows, [&](std::size_t begin, std::size_t end) {
    BlockWalk walk(steps, tree.leaf_values);
    for (std::size_t at = begin; at < end; at += kBlockRows) {
      walk.add(at, std::min(at + kBlockRows, end), scores);
    }
  });
}

std::vector<double> forest_scores(const Forest& forest, const BinnedDataset& data,
                                  const Context& context) {
  std::vector<double> scores(data.num_rows(), forest.base_score());
  for (const Tree& tree : forest.trees()) {
    add_tree_scores(to_binned_tree(tree, data.edges()), data, scores, context);
  }
  return scores;
}

double binned_score(const BinnedTree& tree, const BinnedDataset& data, std::size_t row) {
  std::int32_t at = tree.nodes.empty() ? ~0 : 0;
  while (at >= 0) {
    const BinnedNode& node = tree.nodes[static_cast<std::size_t>(at)];
    const std::size_t code = data.column(node.feature)[row];
    const bool is_missing = code == data.missing_bin(node.feature);
    if (node.asks_set) {
      at = node.bins.contains(code) ? node.left : node.right;
      continue;
    }
    at = (is_missing ? node.missing_left : code <= node.bin) ? node.left : node.right;
  }
  return tree.leaf_values[static_cast<std::size_t>(~at)];
}

}  // namespace glassrank
