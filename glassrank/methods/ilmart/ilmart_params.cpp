#include "glassrank/methods/ilmart/ilmart_params.h"

#include <algorithm>
#include <array>

#include "glassrank/base/error.h"

namespace glassrank {

std::span<const std::pair<std::string_view, PairSelection>> EnumNames<PairSelection>::table() {
  static constexpr std::array<std::pair<std::string_view, PairSelection>, 4> kNames = {
      {{"paper", PairSelection::kPaper},
       {"first-seen", PairSelection::kFirstSeen},
       {"contribution", PairSelection::kContribution},
       {"fast", PairSelection::kFast}}};
  return kNames;
}

void PairSelectionParams::visit(ParamVisitor& visitor) {
  visitor.field("method", method,
                "how the pairs are chosen: by trees of two features (paper), by any trees of three "
                "leaves (first-seen), by their mean effect in such trees (contribution), by EBM's "
                "FAST (fast)",
                {.alias = "pair-selection"});
  visitor.field("max_rounds", max_rounds,
                "maximum number of trees that choose pairs; fast needs none", Range{.low = 1});
  visitor.field("learning_rate", learning_rate, "learning rate of the trees that choose pairs",
                kPositive);
}

void IlmartParams::visit(ParamVisitor& visitor) {
  trees.visit(visitor);
  visitor.section("model");
  visitor.field("num_interactions", num_interactions,
                "number of feature pairs with a surface; 0 for none, -1 for 50 or all there are",
                Range{.low = -1});
  visitor.section("advanced");
  visitor.field("heredity", heredity, "form pairs only from features that have a main effect");
  visitor.field("interaction_trees", interaction_trees,
                "maximum number of trees of pairs; 0 is num_trees", kNotNegative);
  visitor.field("interaction_leaves", interaction_leaves,
                "maximum number of leaves of a tree of a pair; 0 is num_leaves", kNotNegative);
  visitor.field("interaction_learning_rate", interaction_learning_rate,
                "learning rate of the trees of pairs; 0 is learning_rate", kNotNegative);
  visitor.section("training");
  bagging.visit(visitor);
  visitor.section("advanced");
  visitor.group("pair_selection", pair_selection);
  visitor.field("tables", tables,
                "write curves and surfaces instead of the trees that they come from");
  visitor.field("centre", centre,
                "shift curves and surfaces to mean 0 over the training data; the intercept takes "
                "up the means");
  visitor.field("purify", purify,
                "move what a surface says about one feature alone into that feature's curve; "
                "centred tables are needed; a model of bags stays as it is, since the errors of "
                "its cells would be lost");
}

std::vector<BagRound> bag_rounds(const IlmartBags& bags) {
  std::vector<BagRound> rounds;
  for (std::size_t bag = 0; bag < bags.reports.size(); ++bag) {
    for (std::size_t round = 0; round < bags.reports[bag].num_rounds; ++round) {
      rounds.push_back({.bag = bag + 1, .round = round + 1});
    }
  }
  return rounds;
}

std::size_t possible_pairs(std::size_t num_features) {
  return num_features < 2 ? 0 : num_features * (num_features - 1) / 2;
}

std::size_t wanted_pairs(const IlmartParams& params, std::size_t num_features) {
  const std::size_t possible = possible_pairs(num_features);
  if (params.num_interactions < 0) {
    return std::min<std::size_t>(kDefaultInteractions, possible);
  }
  const auto wanted = static_cast<std::size_t>(params.num_interactions);
  if (wanted > possible) {
    fail(ErrorKind::kUsage, "num_interactions {}: data with {} feature{} has {} pair{}", wanted,
         num_features, num_features == 1 ? "" : "s", possible, possible == 1 ? "" : "s");
  }
  return wanted;
}

}  // namespace glassrank
