#pragma once
// How one training went: everything that `glassrank train` prints, as numbers.
//
// One struct for all methods; what a method does not have stays absent. train_text() is the view
// for people, visit() gives the JSON and docs/reference/results.md.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/boosting/observers.h"

namespace glassrank {

// Of a number that is NaN where it was not measured.
std::optional<double> known(double value);

// One stage of boosting within a bag of EBM. Losses are mean squared errors or negative metrics.
struct StageReport {
  std::size_t num_rounds = 0;
  double kept_rounds = 0;
  std::optional<double> start_loss;
  std::optional<double> best_loss;
  void visit(ResultVisitor& visitor) const;
};

struct BagReport {
  std::size_t num_rows = 0;
  std::size_t num_held_out_rows = 0;
  std::optional<std::size_t> num_rounds;
  std::optional<std::size_t> num_trees;       // kept
  std::optional<std::size_t> num_main_trees;  // of them, of main effects
  std::optional<double> value;                // of what stopped it, at its best
  std::optional<StageReport> curves;
  std::optional<StageReport> surfaces;
  void visit(ResultVisitor& visitor) const;
};

struct PairReport {
  std::vector<std::string> features;  // two names
  double statistic = 0;               // by which it was chosen
  bool is_used = true;
  void visit(ResultVisitor& visitor) const;
};

// The main effects of an additive model of trees.
struct MainEffectsReport {
  std::size_t num_features = 0;
  std::size_t num_trees = 0;
  std::size_t num_rounds = 0;
  std::optional<double> value;  // of the stop metric
  void visit(ResultVisitor& visitor) const;
};

// A network that became tables.
struct TowersReport {
  std::size_t num_epochs = 0;
  std::size_t best_epoch = 0;
  double value = 0;  // of the stop metric
  double tables_value = 0;
  void visit(ResultVisitor& visitor) const;
};

struct CleaningCell {
  std::string cleaner;
  std::optional<std::string> type;
  std::optional<int> start;
  std::optional<int> end;
  std::optional<double> p;
  std::optional<double> threshold;
  std::optional<double> contamination;
  std::size_t num_dropped = 0;
  double share = 0;
  std::size_t num_rounds = 0;  // kept
  double value = 0;            // of the stop metric
  bool is_chosen = false;
  void visit(ResultVisitor& visitor) const;
};

struct CleaningReport {
  std::string summary;
  std::size_t num_dropped = 0;
  std::vector<CleaningCell> grid;  // of a tuned cleaning
  void visit(ResultVisitor& visitor) const;
};

struct TrainReport {
  std::string method;
  std::string model;    // the file
  std::string outcome;  // "stopped early after 120 rounds"; empty: there is no more to say
  std::string kept;     // what there is, also of an interrupted run: "40 trees"
  std::optional<std::size_t> num_trees;
  std::optional<std::size_t> num_rounds;
  std::optional<std::size_t> best_round;  // rounds kept
  bool is_round_chosen = false;           // by the validation data
  std::optional<std::size_t> num_curves;
  std::optional<std::size_t> num_surfaces;
  std::optional<CleaningReport> cleaning;
  std::optional<MainEffectsReport> main_effects;
  std::optional<std::size_t> num_interaction_rounds;
  std::optional<TowersReport> towers;
  std::vector<PairReport> pairs;
  std::vector<BagReport> bags;
  std::string stop_metric;          // "held-out ndcg@10": what stopped the bags
  bool is_sampled = false;          // trees saw a sample of the rows
  std::optional<double> row_share;  // of the rows that a tree saw, mean
  std::optional<double> ms_per_tree;
  NamedValues train;  // by metric
  NamedValues valid;
  NamedValues test;
  NamedValues out_of_bag;  // of a random forest: every query by the trees that have not seen it

  void visit(ResultVisitor& visitor) const;
};

// Lines for people.
std::string train_text(const TrainReport& report);

// The metrics of every round.
struct TrainingCurve {
  std::vector<std::string> names;           // "train ndcg@10", "valid ndcg@10", ...
  std::vector<std::vector<double>> rounds;  // values by name, every round
  std::vector<RoundCost> costs;             // of every round; empty: not measured
  // Which bag and which round of it, both from 1; empty without bags.
  struct Place {
    std::size_t bag = 0;
    std::size_t round = 0;
  };
  std::vector<Place> places;
};
// Tab-separated: round and metrics; with bags the bag first.
std::string curve_tsv(const TrainingCurve& curve);

}  // namespace glassrank
