#pragma once
// Trainings from files to files: one model, cross-validation, a search. What `glassrank train`
// does, for every method, and what any other front end would do.
//
// Here data are read, checkpoints found and outputs written, so that methods see rows and never a
// file. The model is written first and what stands beside it after: hours of work are not lost for
// want of room for a table. Front ends declare options, call one of these and print the report.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/result.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/methods/method.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/methods/training/random_search.h"
#include "glassrank/methods/training/train_report.h"
#include "glassrank/methods/training/trained_model.h"

namespace glassrank {

// What a training is told about its files and by whom: empty names are no such file.
struct TrainFiles {
  std::string train;
  std::string valid;
  std::string test;
  std::string start_model;
  std::string out;
  std::string curve;    // metrics of every round, TSV
  std::string record;   // parameters and rounds with rows and times, JSON (run_record.h)
  std::string dropped;  // documents that a cleaner dropped, TSV
  std::string model_format = "native";
  bool for_text = false;  // columns as LightGBM and XGBoost count them in LETOR text
  ReadParams read = {};
  // Parameters that the user named, whatever their values: "valid_share", "checkpoint_every".
  std::vector<std::string> given = {};

  bool is_given(std::string_view name) const;
};

struct RunParams {
  bool resumes = false;
  std::size_t checkpoint_every = 0;  // rounds; 0: only when stopped
  std::size_t log_every = 0;
  bool keeps_checkpoints = true;  // files can lie beside `out`
};

// Validation files with fewer features are padded with absent ones, with a notice. `as_values`:
// somebody besides the method needs feature values. Throws as load_dataset and load_model do.
TrainInputs load_inputs(const TrainFiles& files, const Method& method, bool as_values,
                        const Context& context);

// Trains and writes `out` and the files beside it. Ends in Error{kInterrupted} when stopped, with
// the best model so far and a checkpoint written.
TrainReport train_to_file(const Method& method, const TrainFiles& files, const RunParams& params,
                          const Context& context);

struct FoldsReport {
  CrossValidation found;
  std::optional<TrainReport> model;  // on all data, for the length the folds chose
  void visit(ResultVisitor& visitor) const;
};
// With `out`, then trains on all data.
FoldsReport train_folds(const Method& method, const TrainFiles& files, int num_folds,
                        const Context& context);

struct SearchReport {
  SearchResult found;
  std::string model;  // the files written; empty without `out`
  std::string config;
  std::string trials;
  NamedValues test;
  void visit(ResultVisitor& visitor) const;
};
// On the validation file, or with num_folds > 0 on folds. With `out` the best model is written, its
// parameters to out.toml, all trials to out.trials.tsv.
SearchReport train_search(const Method& method, const TrainFiles& files, int num_folds,
                          const SearchParams& search, const Context& context);
std::string search_config_file(const std::string& out);
std::string search_trials_file(const std::string& out);

// Views for people.
std::string folds_text(const FoldsReport& report);
std::string search_text(const SearchReport& report);

// Tab-separated: query, document, row (0-based), grade, evidence; with a header line.
// Rows of all machines: collective.
std::string dropped_tsv(const TrainingData& data, const Cleaning& cleaning, const Context& context);

}  // namespace glassrank
