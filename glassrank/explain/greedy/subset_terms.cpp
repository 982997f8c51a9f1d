#include "glassrank/explain/greedy/subset_terms.h"

#include <algorithm>
#include <utility>

#include "glassrank/models/forest/tree.h"

namespace glassrank {
namespace {

constexpr std::uint32_t kNotChoosable = 0xFFFFFFFF;

std::vector<std::uint32_t> numbers_among(Choosable features, std::size_t num_features) {
  std::vector<std::uint32_t> numbers(num_features, kNotChoosable);
  for (std::size_t i = 0; i < features.size(); ++i) {
    numbers[features[i]] = static_cast<std::uint32_t>(i);
  }
  return numbers;
}

// The leaves that a document and the typical row reach together in one tree.
class TreeTerms {
 public:
  TreeTerms(BranchRow document, BranchRow typical, std::span<const std::uint32_t> numbers,
            std::size_t order, SubsetTerms& terms)
      : document_(document),
        typical_(typical),
        numbers_(numbers),
        order_(order),
        terms_(terms),
        states_(numbers.size()) {}

  void add(const ForestTable& table, std::size_t tree) {
    nodes_ = table.trees()[tree].nodes.data();
    first_node_ = table.first_node[tree];
    leaves_ = table.leaves_of(tree);
    const std::int32_t root = table.trees()[tree].nodes.empty() ? ~0 : 0;
    std::int32_t at = root;
    while (at >= 0) at = is_left(typical_, at) ? nodes_[at].left : nodes_[at].right;
    usual_ = leaves_[~at];
    terms_.none += usual_;
    descend(root);
  }

 private:
  enum class State : std::uint8_t { kOpen, kKnown, kUnknown };

  bool is_left(const BranchRow& row, std::int32_t node) const {
    return row.bits->goes_left(first_node_ + static_cast<std::size_t>(node), row.row);
  }

  void descend(std::int32_t at) {
    while (at >= 0) {
      const TreeNode& node = nodes_[at];
      const bool own = is_left(document_, at);
      const bool usual = is_left(typical_, at);
      State& state = states_[node.feature];
      if (own == usual || state == State::kKnown) {
        at = own ? node.left : node.right;
        continue;
      }
      if (state == State::kOpen) {
        if (num_known_ < order_) {
          state = State::kKnown;
          known_[num_known_++] = numbers_[node.feature];
          descend(own ? node.left : node.right);
          --num_known_;
        }
        state = State::kUnknown;
        unknown_.push_back(numbers_[node.feature]);
        descend(usual ? node.left : node.right);
        unknown_.pop_back();
        state = State::kOpen;
        return;
      }
      at = usual ? node.left : node.right;
    }
    // Less the typical leaf, which most ways end in: those then add nothing.
    if (const Fixed value = leaves_[~at] - usual_; value != 0) add_leaf(value);
  }

  // term(known + M) for every M of the unknown, while there is room for it.
  void add_leaf(Fixed value) {
    terms_.add(known_, num_known_, value);
    add_with_unknown(num_known_, 0, Fixed{0} - value);
  }
  void add_with_unknown(std::size_t size, std::size_t first, Fixed value) {
    if (size == order_) return;
    for (std::size_t i = first; i < unknown_.size(); ++i) {
      known_[size] = unknown_[i];
      terms_.add(known_, size + 1, value);
      add_with_unknown(size + 1, i + 1, Fixed{0} - value);
    }
  }

  BranchRow document_;
  BranchRow typical_;
  std::span<const std::uint32_t> numbers_;
  std::size_t order_;
  SubsetTerms& terms_;
  std::vector<State> states_;  // by feature
  const TreeNode* nodes_ = nullptr;
  std::size_t first_node_ = 0;
  const Fixed* leaves_ = nullptr;
  Fixed usual_ = 0;
  std::array<std::uint32_t, 3> known_ = {};
  std::size_t num_known_ = 0;
  std::vector<std::uint32_t> unknown_;
};

}  // namespace

SubsetTerms::SubsetTerms(std::size_t num_features, std::size_t first, std::size_t last)
    : singles(num_features),
      pairs(pairs_below(num_features)),
      triples(triples_below(last) - triples_below(first)),
      first_largest(first),
      last_largest(last) {}

void SubsetTerms::add(std::array<std::uint32_t, 3> set, std::size_t size, Fixed value) {
  switch (size) {
    case 0:
      none += value;
      return;
    case 1:
      singles[set[0]] += value;
      return;
    case 2:
      if (set[0] > set[1]) std::swap(set[0], set[1]);
      pairs[pairs_below(set[1]) + set[0]] += value;
      return;
    default:
      if (set[0] > set[1]) std::swap(set[0], set[1]);
      if (set[1] > set[2]) std::swap(set[1], set[2]);
      if (set[0] > set[1]) std::swap(set[0], set[1]);
      if (set[2] < first_largest || set[2] >= last_largest) return;
      triples[triples_below(set[2]) - triples_below(first_largest) + pairs_below(set[1]) +
              set[0]] += value;
  }
}

void add_forest_terms(const ForestTable& table, BranchRow document, BranchRow typical,
                      Choosable features, std::size_t order, SubsetTerms& terms) {
  const auto numbers = numbers_among(features, table.forest.num_features());
  terms.none += table.base_score;
  TreeTerms trees(document, typical, numbers, order, terms);
  for (std::size_t t = 0; t < table.trees().size(); ++t) trees.add(table, t);
}

void add_additive_terms(const AdditiveTable& table, std::span<const float> document,
                        std::span<const float> typical, Choosable features, std::size_t order,
                        SubsetTerms& terms) {
  const auto numbers = numbers_among(features, table.gam().num_features());
  AdditiveTerms additive = table.no_terms();
  table.add_terms(table.cells_of(document), table.cells_of(typical), additive);
  terms.none += additive.constant;
  for (std::size_t f = 0; f < additive.singles.size(); ++f) {
    if (numbers[f] != kNotChoosable) terms.singles[numbers[f]] += additive.singles[f];
  }
  if (order < 2) return;
  for (std::size_t s = 0; s < additive.pairs.size(); ++s) {
    const auto [f, g] = table.surfaces()[s];
    terms.add({numbers[f], numbers[g], 0}, 2, additive.pairs[s]);
  }
}

}  // namespace glassrank
