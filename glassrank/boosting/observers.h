#pragma once
// What watches the rounds of boosting: early stopping, learning curves, checkpoints, progress.
//
// The booster computes the metrics asked for once per round; observers read them. They are shown
// every round in order, also the rounds of a resumed run that are only replayed: an observer needs
// no saved state to go on exactly where it was.

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/models/forest/tree.h"

namespace glassrank {

using MetricFunction = std::function<double(
    const BinnedDataset& data, std::span<const double> scores, const Context& context)>;

// A metric to compute each round. Set 0 is the training set, 1 the first validation set, ...
struct RoundMetric {
  std::string name;
  std::size_t set = 0;
  MetricFunction function;
  bool larger_is_better = true;
};

// What a round took. Rows are those its tree was grown on and those there are, on all machines;
// seconds are wall time without metrics and observers. All 0 in a round that is only replayed.
struct RoundCost {
  std::size_t rows = 0;
  std::size_t all_rows = 0;
  double seconds = 0;
};

// Of several rounds together: a mean share and time per tree. Replayed rounds do not count.
struct MeanCost {
  std::size_t num_rounds = 0;
  double row_share = 0;
  double seconds = 0;
};
MeanCost mean_cost(std::span<const RoundCost> costs);

struct RoundEvent {
  std::size_t round = 0;  // 0-based; the forest now has round + 1 trees
  std::span<const Tree> trees;
  std::span<const std::vector<double>> scores;  // per set
  std::span<const double> metrics;              // as asked for
  double base_score = 0;                        // of the forest
  bool replayed = false;                        // part of a resumed model, not trained now
  RoundCost cost = {};
};

class RoundObserver {
 public:
  virtual ~RoundObserver() = default;
  // Returns whether to go on.
  virtual bool after_round(const RoundEvent& event) = 0;
  // How many trees the model should keep, if the observer has an opinion.
  virtual std::optional<std::size_t> trees_to_keep() const { return std::nullopt; }
};

// Stops when the metric has not risen (fallen) by more than min_delta for `patience` rounds; keeps
// the trees up to its best round.
class EarlyStopping final : public RoundObserver {
 public:
  struct Rule {
    std::size_t metric = 0;  // index of the RoundMetric
    std::size_t patience = 50;
    double min_delta = 0;
    bool larger_is_better = true;
  };
  explicit EarlyStopping(const Rule& rule) : rule_(rule) {}
  bool after_round(const RoundEvent& event) override;
  std::optional<std::size_t> trees_to_keep() const override { return best_trees_; }
  double best() const { return best_; }
  std::size_t metric() const { return rule_.metric; }
  // Trees up to the best round; 0 before the first.
  std::size_t best_round() const { return best_trees_.value_or(0); }

 private:
  Rule rule_;
  double best_ = std::numeric_limits<double>::quiet_NaN();
  std::optional<std::size_t> best_trees_;
};

// Keeps every metric and the cost of every round.
class LearningCurve final : public RoundObserver {
 public:
  bool after_round(const RoundEvent& event) override;
  std::span<const std::vector<double>> rounds() const { return rounds_; }
  std::span<const RoundCost> costs() const { return costs_; }

 private:
  std::vector<std::vector<double>> rounds_;
  std::vector<RoundCost> costs_;
};

// Hands every `every`-th new round over to be saved.
class Checkpoint final : public RoundObserver {
 public:
  using Save = std::function<void(const RoundEvent& event)>;
  Checkpoint(std::size_t every, Save save) : every_(every), save_(std::move(save)) {}
  bool after_round(const RoundEvent& event) override;

 private:
  std::size_t every_;
  Save save_;
};

// ".9138" of 0.91382, as progress lines show a metric.
std::string short_number(double value);

// Reports rounds to the context's progress sink, with "valid .5791 (best .5812 @41)" of the metric
// that stops training; `stopping` may be null, then "train ndcg@10 .7121" of all metrics. It must
// be shown each round first.
class RoundProgress final : public RoundObserver {
 public:
  struct Setup {
    std::size_t num_rounds = 0;
    std::size_t num_given = 0;  // trees of a warm start, not counted as rounds
    std::string name = {};      // which training it is, if there are several
  };
  RoundProgress(const Context& context, const Setup& setup, std::vector<std::string> names,
                const EarlyStopping* stopping = nullptr);
  bool after_round(const RoundEvent& event) override;

 private:
  std::size_t num_given_;
  Progress progress_;
  std::vector<std::string> names_;
  const EarlyStopping* stopping_;
};

// A line "[100] train ndcg@10: 0.71  valid ndcg@10: 0.58" to the context's log every `every`-th
// new round; if trees are grown on samples, "  rows: 12.50 %  35.2 ms a tree" follows, means since
// the last line.
class RoundLog final : public RoundObserver {
 public:
  struct Setup {
    std::size_t every = 10;
    std::size_t num_given = 0;
    bool is_sampled = false;
    std::string name = {};  // which training it is, if there are several
  };
  RoundLog(const Context& context, Setup setup, std::vector<std::string> names)
      : setup_(std::move(setup)), context_(context), names_(std::move(names)) {}
  bool after_round(const RoundEvent& event) override;

 private:
  Setup setup_;
  const Context& context_;
  std::vector<std::string> names_;
  std::vector<RoundCost> costs_;  // since the last line
};

}  // namespace glassrank
