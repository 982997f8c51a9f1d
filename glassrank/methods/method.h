#pragma once
// A way to train a ranker: the seam between methods and everything that is done with all of them.
//
// A method holds its own parameters and trains a model from data; folds, searches, bags, cleaning,
// checkpoints and run records are written once over `const Method&` (methods/training) and know no
// method by name. What a method can take part in follows from its traits.
//
// To add a method: 1. a folder with its parameters and its training; 2. a class derived from
// Method there; 3. a line in registry.cpp; 4. a page in docs/methods. `glassrank train --method`,
// `list methods`, help and reference pages follow from the registry.

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/param_uses.h"
#include "glassrank/base/params.h"
#include "glassrank/boosting/booster.h"
#include "glassrank/methods/cleaners/cleaner.h"
#include "glassrank/methods/training/checkpoints.h"
#include "glassrank/methods/training/train_report.h"
#include "glassrank/methods/training/training_data.h"
#include "glassrank/methods/training/watch_params.h"
#include "glassrank/models/model.h"

namespace glassrank {

// What can be combined with a method.
struct MethodTraits {
  bool shows_rounds = false;   // observers see its rounds: cleaners that follow a base model
  bool has_stages = false;     // rows may stay out of its first rounds: curr-sour
  bool warm_starts = false;    // goes on from the trees of another model
  bool can_be_bagged = false;  // its models can be averaged by bags around it (BaggedMethod)
  bool is_additive = false;    // its model is a sum of curves and surfaces
  bool needs_values = false;   // looks at feature values; others need bins alone
  bool calls_back = false;     // calls WatchParams::after_round
  // Why rows cannot lie on several machines; empty: they can.
  std::string_view alone_because = "its sums over rows are not shared among machines";
};

struct TrainTask {
  const TrainingData& data;
  const Forest* start = nullptr;  // trees to go on from, as wide as the data; not owned
  Checkpoints* checkpoints = nullptr;
  std::string name = {};      // in log and progress, if there are several trainings: "bag 2 of 8"
  std::size_t log_every = 0;  // rounds to a log line; 0: the progress sink instead
  std::vector<CleaningStage> stages = {};
};

// How long a training was, by name ("trees"), so that the mean over folds can be trained without
// validation data. Empty: the method stops by itself.
using TrainingLength = std::vector<std::pair<std::string, std::size_t>>;

struct TrainResult {
  Model model;  // without provenance
  TrainReport report;
  TrainingCurve curve;
  TrainingLength length;
  // The stop metric of the model on the validation data; NaN: not known, see valid_metric().
  double best_metric = std::numeric_limits<double>::quiet_NaN();
  bool is_interrupted = false;
  bool may_go_on = false;  // it ended only because its rounds were used up
  std::optional<Cleaning> cleaning = std::nullopt;
};

// The phase of a cleaner's base model, before that of the model itself.
inline const TrainingPhase kBasePhase{
    .name = "base", .label = "base model of cleaning", .what = "the base model", .is_last = false};

// What is known before any data is read.
struct TrainSetting {
  bool has_valid = false;
  bool has_start = false;
  bool resumes = false;
};

class Method {
 public:
  virtual ~Method() = default;
  virtual std::string name() const = 0;
  virtual MethodTraits traits() const = 0;
  virtual std::unique_ptr<Method> clone() const = 0;

  // Its parameters, under plain names.
  virtual void visit(ParamVisitor& visitor) = 0;
  virtual WatchParams& watch() = 0;
  const WatchParams& watch() const { return const_cast<Method*>(this)->watch(); }
  // What it minimises, where that can be chosen; null elsewhere.
  virtual ObjectiveParams* objective() { return nullptr; }
  virtual BinParams bin_params() const = 0;  // that it asks of the data first

  // Which of its own parameters mean something only beside certain values of others; given
  // elsewhere they are refused.
  virtual std::vector<ParamUse> uses() const { return {}; }
  // Fills in what was not given and depends on what there is. Called before check(), by whoever
  // knows whether a model will be stopped on held-out data (validation file, folds).
  virtual void settle(const TrainSetting& /*setting*/) {}
  // Throws Error{kUsage} for everything that does not go together, before any work.
  virtual void check(const TrainSetting& setting) const = 0;
  // Does what several trainings on the same data share: bins.
  virtual void prepare(const TrainTask& task, const Context& context) const = 0;
  // Asked to stop, it ends with the best model so far; throws Error{kInterrupted} when there is
  // none yet, Error{kInput} for data it cannot use.
  virtual TrainResult train(const TrainTask& task, const Context& context) const = 0;

  // Rounds at most, and whether validation data may end it before.
  struct Rounds {
    std::size_t most = 0;
    bool stops_early = false;
  };
  virtual Rounds rounds() const = 0;
  // Multiplies the rounds at most, rounded up: for successive halving.
  virtual void scale_rounds(double share) = 0;
  // Makes this length the longest; without validation data it trains just so long.
  virtual void fix_length(const TrainingLength& length) = 0;

  // The base model of a cleaner, if traits().shows_rounds.
  virtual BoostingResult train_base(const TrainTask& task, const BaseTask& base,
                                    const Context& context) const;
};

// Every watched metric of a model on data, by name.
NamedValues watched_values(const Model& model, const Dataset& data, const WatchParams& watch,
                           const Context& context);

// The stop metric of a trained model on the validation data, which there must be: what searches and
// tuned cleanings compare by.
double valid_metric(const TrainResult& result, const Method& method, const TrainingData& data,
                    const Context& context);

// Throws Error{kUsage} where several machines are to train a method that cannot.
void check_machines(const Method& method, const Context& context);

// Every parameter with its value.
std::vector<ParamInfo> list_params(const Method& method);

}  // namespace glassrank
