#pragma once
// Cleaning: which documents to leave out of training, found by any of the cleaners.
//
//   1. a Cleaner decides, from the data or from the mistakes of a base model of the learner's own;
//   2. the learner trains again from scratch on the rows that are left (data/select_rows.h), in the
//      same bins, stopped by the untouched validation data.
// A cleaner knows the learner only as a function that boosts trees and shows its rounds, and who
// cleans knows a cleaner by its traits only: every boosted method and every sampler can be cleaned
// with every cleaner. The table of cleaners is in clean_params.cpp.
// The result depends on data, parameters and seed only, not on threads.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/booster.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/cleaners/clean_params.h"

namespace glassrank {

struct DroppedRow {
  std::uint32_t row = 0;
  // Share of the base model's rounds in which it was an outlier, or its anomaly score.
  float evidence = 0;
  bool operator==(const DroppedRow&) const = default;
};

// curr-sour: rows that stay out of training up to tree number `end`.
struct CleaningStage {
  std::size_t end = 0;
  std::vector<std::uint32_t> left_out;  // ascending
};

struct Cleaning {
  CleanParams params;               // with which this comes out: window filled in, not tuned
  std::vector<DroppedRow> dropped;  // ascending rows
  std::vector<CleaningStage> stages = {};
  // "sour neg, top 10, rounds 31 to 300: 120 of 5000 documents (2.40 %) dropped"
  std::string summary = {};
  std::size_t num_dropped = 0;  // on all machines; `dropped` and stages are of this one's rows
};

// What the base model is to be trained for.
struct BaseTask {
  std::size_t num_trees = 0;
  bool stops_early = false;           // on the validation data; else every tree is grown
  RoundObserver* observer = nullptr;  // shown every round, also of resumed training; may be null
};
// Trains the learner on all training rows, with its own parameters but for the task.
using BaseTrainer = std::function<BoostingResult(const BaseTask& task)>;

struct CleanInput {
  const Dataset& values;      // for cleaners that look at features; without rows: not known
  BinnedDataset train;        // the same rows
  std::size_t cutoff = 0;     // of the learner's metric; kNoCutoff: it has none
  std::size_t num_trees = 0;  // of the learner
  BaseTrainer train_base = {};
};

// What is known of the learner before anything is read.
struct LearnerSetting {
  std::size_t cutoff = 0;
  std::size_t num_trees = 0;
  bool has_valid = false;
  bool stops_early = false;
};

// What goes with a cleaner, and what it leaves behind.
struct CleanerTraits {
  bool follows_rounds = false;  // of a base model that the learner trains
  bool needs_values = false;    // looks at feature values, not at bins
  bool needs_valid = false;     // goes by the best round on validation data
  bool has_stages = false;      // drops nothing for good: rows join in as trees are grown
  std::string_view evidence;    // what speaks against a document: "outlier_share"
};

// One way to find documents that should not be trained on. Has no state: parameters are passed on,
// so that one base training serves many settings.
class Cleaner {
 public:
  virtual ~Cleaner() = default;
  virtual CleanerTraits traits() const = 0;
  // The parameters of CleanParams that it looks at, by their names.
  virtual std::span<const std::string_view> params() const = 0;
  bool uses(std::string_view param) const;
  // What does not go with the learner. Throws Error{kUsage}.
  virtual void check(const CleanParams& /*params*/, const LearnerSetting& /*setting*/) const {}
  virtual Cleaning clean(const CleanInput& input, const CleanParams& params,
                         const Context& context) const = 0;
  // Every setting worth trying, from one base training; parameters that were given stay.
  virtual std::vector<Cleaning> grid(const CleanInput& input, const CleanParams& params,
                                     const Context& context) const = 0;
};

// Throws Error{kUsage}: values out of their ranges, a window that is empty or longer than the
// forest, no cutoff, stages out of order or beyond the forest, validation data missing where it is
// needed.
void check_clean(const CleanParams& params, const LearnerSetting& setting);

// By the cleaner of the parameters. Throws Error{kInput} when no or every document could be dropped
// (no document of one of the two kinds; all rows found) and when feature values are needed and not
// known, Error{kInterrupted} when stopped.
Cleaning clean(const CleanInput& input, const CleanParams& params, const Context& context);

// Throws Error{kInput} when every document is dropped.
void refuse_emptying(const Cleaning& cleaning, std::size_t num_rows);

// Of rows on all machines. Collective.
std::size_t count_everywhere(std::size_t own, const Context& context);

// Every (start, type, p) worth trying, from one base training; the first is no cleaning at all.
std::vector<Cleaning> clean_grid(const CleanInput& input, const CleanParams& params,
                                 const Context& context);

// The other rows; `left_out` ascends.
std::vector<std::uint32_t> rows_without(std::span<const std::uint32_t> left_out,
                                        std::size_t num_rows);
// The rows that are not dropped.
std::vector<std::uint32_t> kept_rows(const Cleaning& cleaning, std::size_t num_rows);

// The stages on some rows only, by their numbers there. `rows` ascend.
std::vector<CleaningStage> stages_within(std::span<const CleaningStage> stages,
                                         std::span<const std::uint32_t> rows);

}  // namespace glassrank
