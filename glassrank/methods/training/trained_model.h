#pragma once
// One training from its data to a model with its record: what runs from files (train_run.h) and
// from memory (other front ends) have in common. Equal data, parameters, seed and names give equal
// models to the byte, whichever way the data came.

#include <optional>
#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/match_columns.h"
#include "glassrank/methods/method.h"
#include "glassrank/methods/training/run_record.h"
#include "glassrank/models/model.h"

namespace glassrank {

// Data or a model with the name that provenance and messages give it: its file, if it has one.
struct NamedData {
  std::string name;
  Dataset data;
};
struct NamedModel {
  std::string name;
  Model model;
};

// Training data and what goes with it.
struct TrainInputs {
  TrainingData data;
  std::optional<Forest> start = std::nullopt;  // as wide as the data
  Provenance files = {};                       // names and digests
};

// With the first lines of the provenance. Of several machines each gives its own rows: collective,
// and what data/check_shares.h refuses is refused. A machine may have none.
TrainInputs make_inputs(const TrainingData& train, const std::string& name, const Context& context);
// Training that goes on: the features of the start model come first, in its order, and the data's
// others behind them. All machines have the same model. Comes before add_valid. Throws
// Error{kUsage} for a model without trees,
// Error{kInput} where columns cannot be matched.
void start_from(TrainInputs& inputs, const NamedModel& start, const MatchRules& rules,
                const Context& context);
// Validation or test data, `what`, with the features of the training data (match_columns.h:
// fit_to). Of several machines each gives its own rows, as above.
Dataset fit_together(const TrainInputs& train, const Dataset& data, const MatchRules& rules,
                     std::string_view what, const Context& context);
// Validation data that has the features of the training data.
void add_valid(TrainInputs& inputs, const NamedData& valid, const Context& context);

// Program, method, files, seed and every parameter: equal for equal runs.
Provenance run_provenance(const Method& method, const Provenance& files, const Context& context);

// The model with how it came to be. Trained on data without missing values because they were made
// 0, it takes them as 0, too.
Model with_provenance(const TrainResult& result, Provenance lines, MissingValue missing);

// Fills in the metrics that the training has not watched already, and those on `test`, which may be
// null.
void measure(const Model& model, const Method& method, const TrainingData& data,
             const Dataset* test, TrainReport& report, const Context& context);

struct TrainedModel {
  Model model;
  TrainResult result;  // its report is complete
  Provenance run;      // what was asked for
};
struct TrainOptions {
  const Dataset* test = nullptr;
  std::size_t log_every = 0;
  MissingValue missing = MissingValue::kKeep;
};
// Asked to stop, it gives the best model so far (TrainResult::is_interrupted), not measured; throws
// Error{kInterrupted} when there is none yet.
TrainedModel train_model(const Method& method, const TrainInputs& inputs,
                         const TrainOptions& options, const Context& context);
// The same from a training that is over: the best trial of a search.
TrainedModel completed(const Method& method, TrainResult result, const TrainInputs& inputs,
                       const TrainOptions& options, const Context& context);
// For as long as folds or a search chose, without validation data.
TrainedModel train_for_length(const Method& method, const TrainingLength& length,
                              const TrainInputs& inputs, const TrainOptions& options,
                              const Context& context);

}  // namespace glassrank
