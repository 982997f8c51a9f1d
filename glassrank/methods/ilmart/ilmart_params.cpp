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
  visitor.field("max_rounds", max_rounds, "trees grown to choose pairs at most; fast needs none",
                Range{.low = 1});
  visitor.field("learning_rate", learning_rate, "of those trees", kPositive);
}

void IlmartParams::visit(ParamVisitor& visitor) {
  trees.visit(visitor);
  visitor.section("model");
  visitor.field("num_interactions", num_interactions,
                "pairs of features that may act together; 0 for none, -1 for 50 or all there are",
                Range{.low = -1});
  visitor.field("heredity", heredity,
                "only features that have a main effect form pairs; without, any do");
  visitor.field("interaction_trees", interaction_trees, "trees of pairs at most; 0 for num_trees",
                kNotNegative);
  visitor.field("interaction_leaves", interaction_leaves,
                "leaves of a tree of a pair at most; 0 for num_leaves", kNotNegative);
  visitor.field("interaction_learning_rate", interaction_learning_rate,
                "of the trees of pairs; 0 for learning_rate", kNotNegative);
  visitor.section("training");
  bagging.visit(visitor);
  visitor.section("advanced");
  visitor.group("pair_selection", pair_selection);
  visitor.section("output");
  visitor.field("tables", tables,
                "the model is curves and surfaces; without, the trees they came from");
  visitor.field("centre", centre,
                "shift these to mean 0 over the training data; the intercept takes the means");
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
