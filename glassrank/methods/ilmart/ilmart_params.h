#pragma once
// The parameters of ILMART (ilmart.h): those of LambdaMART for its trees, and its own.
//
// ILMART is three trainings of trees: main effects, the choice of pairs, interactions. What is not
// said for a later step is that of the first; 0 means so. What is done with the trees afterwards
// (tables, centre, purify) changes how the model reads, not what it scores.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/pairs/fast_pairs.h"
#include "glassrank/methods/training/bags.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

// How the pairs are chosen, see pair_selection.h.
enum class PairSelection { kPaper, kFirstSeen, kContribution, kFast };
template <>
struct EnumNames<PairSelection> {
  static std::span<const std::pair<std::string_view, PairSelection>> table();
};

struct PairSelectionParams {
  PairSelection method = PairSelection::kPaper;
  int max_rounds = 2000;       // not of kFast
  double learning_rate = 0.1;  // not of kFast

  void visit(ParamVisitor& visitor);
};

inline constexpr int kDefaultInteractions = 50;

struct IlmartParams {
  // Of all steps, unless said otherwise below. Trees of one feature need few leaves: the curves are
  // easier to read and rank better, too (bench/results/choices.md).
  LambdamartParams trees = {.boosting = {.num_leaves = 4}};
  int num_interactions = -1;             // -1: 50, or every pair of fewer
  bool heredity = true;                  // pairs are of features with a main effect
  int interaction_trees = 0;             // 0: num_trees
  int interaction_leaves = 0;            // 0: num_leaves
  double interaction_learning_rate = 0;  // 0: learning_rate
  BagParams bagging;                     // see ilmart_bags.h
  PairSelectionParams pair_selection;
  bool tables = true;  // the model is curves and surfaces; off: the trees they came from
  bool centre = true;  // of mean 0 over the training data
  bool purify = true;  // what a surface knows of one feature alone goes to its curve

  void visit(ParamVisitor& visitor);

  bool is_bagged() const { return bagging.is_bagged(); }
};

// That so many features form.
std::size_t possible_pairs(std::size_t num_features);

// The pairs asked for. Throws Error{kUsage} when the features do not have that many.
std::size_t wanted_pairs(const IlmartParams& params, std::size_t num_features);

// How one bag went.
struct IlmartBag {
  std::size_t num_rows = 0;  // it trained on
  std::size_t num_held_out_rows = 0;
  std::size_t num_rounds = 0;  // of its part of the learning curve
  std::size_t main_trees = 0;  // kept
  std::size_t pair_trees = 0;
  double metric = std::numeric_limits<double>::quiet_NaN();  // what stopped it, at its best
};

// Of a run in bags.
struct IlmartBags {
  std::vector<IlmartBag> reports;
  std::vector<Forest> forests;  // not yet divided by their number
  // "train ndcg@10", "valid ndcg@10", ... of the mean model.
  std::vector<std::pair<std::string, double>> metrics;
};

// Which round of which bag, both from 1, a row of the learning curve is.
struct BagRound {
  std::size_t bag = 0;
  std::size_t round = 0;
};
std::vector<BagRound> bag_rounds(const IlmartBags& bags);

// What the steps of a run were, beyond the forest they end in.
struct IlmartSteps {
  Forest main_effects;          // the model of step 1: trees up to its best round
  Forest all_main_trees;        // every tree of step 1
  std::size_t main_rounds = 0;  // of step 1
  std::size_t main_trees = 0;   // kept of it; in bags the mean of a bag
  double main_metric = 0;       // on the validation data after them; NaN without
  bool main_may_go_on = false;  // step 1 ended only because num_trees were grown
  std::vector<std::vector<double>> main_curve = {};  // every round of step 1
  std::vector<RankedFeaturePair> selected = {};      // in the order they were chosen
  std::size_t interaction_rounds = 0;                // of step 3
  // Pairs that trees of the final forest use, ascending.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> used = {};
  bool began_interactions = false;  // step 3 was reached
  std::optional<IlmartBags> bags = std::nullopt;
};

// Rounds count trees of the final forest, see ilmart.h.
struct IlmartResult : LambdamartResult {
  IlmartSteps steps;
};

}  // namespace glassrank
