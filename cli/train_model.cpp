// One training run of `glassrank train`: checkpoints, resuming, the model, the learning curve.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/clean_table.h"
#include "cli/output_file.h"
#include "cli/run_checkpoint.h"
#include "cli/terminal.h"
#include "cli/train_modes.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/methods/cleaned_lambdamart.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

std::string end_text(const LambdamartResult& result) {
  switch (result.end) {
    case BoostingEnd::kStoppedByObserver:
      return fmt::format("stopped early after {} rounds", result.num_rounds);
    case BoostingEnd::kNoSplitLeft:
      return fmt::format("no split left after {} rounds", result.num_rounds);
    case BoostingEnd::kInterrupted:
      return fmt::format("stopped after {} rounds", result.num_rounds);
    case BoostingEnd::kAllRounds:
      break;
  }
  return fmt::format("{} rounds", result.num_rounds);
}

std::string curve_text(const LambdamartResult& result) {
  std::string text = "round";
  for (const std::string& name : result.curve_names) text += fmt::format("\t{}", name);
  text += '\n';
  for (std::size_t round = 0; round < result.curve.size(); ++round) {
    text += fmt::format("{}", round + 1);
    for (const double value : result.curve[round]) text += fmt::format("\t{}", value);
    text += '\n';
  }
  return text;
}

// Every metric after the last round kept.
std::vector<NamedValue> best_values(const LambdamartResult& result) {
  std::vector<NamedValue> values;
  if (result.best_round == 0) return values;
  for (std::size_t m = 0; m < result.curve_names.size(); ++m) {
    values.push_back({result.curve_names[m], result.curve[result.best_round - 1][m]});
  }
  return values;
}

class ModelTraining {
 public:
  ModelTraining(const TrainOptions& options, const Context& context)
      : options_(options),
        context_(context),
        data_(load_train_data(options, context)),
        provenance_(run_provenance(data_, options.params, context)),
        base_(options.base_checkpoint_file(), base_provenance(), "the base model",
              keeps_checkpoints(), context),
        final_(options.checkpoint_file(), provenance_, options.has_clean() ? "the final model" : "",
               keeps_checkpoints(), context) {}

  CleanedResult run() {
    const LambdamartData data =
        prepare_lambdamart(data_.train, data_.valid ? &*data_.valid : nullptr, options_.params,
                           context_, data_.start ? &*data_.start : nullptr);
    CleanedRun run;
    if (options_.has_clean()) {
      begin(run.base, base_);
      run.base.save_end = [this](const Forest& grown) { base_.save(grown); };
    }
    begin(run.final, final_);
    say_when_it_stops();
    try {
      return train_cleaned(data_.train, data, options_.params, run, context_);
    } catch (Error& error) {  // only cleaning throws it, and what it has is saved
      if (error.kind() != ErrorKind::kInterrupted || !options_.has_clean()) throw;
      fail(ErrorKind::kInterrupted, "{}{}", error.message(),
           keeps_checkpoints() ? "; --resume goes on" : "");
    }
  }

  void write(const CleanedResult& cleaned) const {
    const LambdamartResult& result = cleaned.result;
    const bool is_interrupted = result.end == BoostingEnd::kInterrupted;
    if (is_interrupted && result.num_rounds == 0) context_.check_stop();
    if (is_interrupted) final_.save(result.grown);
    Provenance lines = provenance_;
    if (options_.has_clean()) lines.emplace_back("cleaning", cleaned.cleaning.summary);
    if (is_interrupted) lines.emplace_back("interrupted", end_text(result));
    save_model(options_.out, {.body = result.forest, .provenance = std::move(lines)},
               options_.model_format, context_);
    if (!options_.curve.empty()) write_text_file(options_.curve, curve_text(result));
    if (!options_.dropped.empty()) {
      write_text_file(options_.dropped, dropped_tsv(data_.train, cleaned.cleaning));
    }
    if (is_interrupted) {
      fail(ErrorKind::kInterrupted,
           "stopped after {} rounds; the best model so far, {} trees, is {}{}", result.num_rounds,
           result.forest.trees().size(), options_.out,
           keeps_checkpoints() ? "; --resume goes on" : "");
    }
    final_.remove();
    if (options_.has_clean()) base_.remove();
  }

  std::size_t num_rows() const { return data_.train.num_rows(); }

 private:
  // A pipe or device has no place beside it.
  bool keeps_checkpoints() const { return is_regular_or_new(options_.out); }

  Provenance base_provenance() const {
    Provenance lines = provenance_;
    lines.emplace_back("phase", "base model of cleaning");
    return lines;
  }

  void begin(LambdamartRun& run, RunCheckpoint& checkpoint) const {
    run.warm_start = data_.start;
    run.resumed = checkpoint.load(options_.resume);
    checkpoint.attach(run, static_cast<std::size_t>(options_.checkpoint_every));
    if (!messages_reach_a_terminal()) {
      run.log_every = static_cast<std::size_t>(options_.log_every);
    }
  }

  void say_when_it_stops() const {
    if (!data_.valid || options_.params.patience == 0) return;
    context_.info(fmt::format("training until {} has not risen for {} rounds",
                              stopping_name(options_.params), options_.params.patience));
  }

  const TrainOptions& options_;
  const Context& context_;
  TrainData data_;
  Provenance provenance_;
  RunCheckpoint base_;
  RunCheckpoint final_;
};

void print_json(const TrainOptions& options, const CleanedResult& cleaned, std::size_t num_rows,
                const std::vector<NamedValue>& test, Output& output) {
  const LambdamartResult& result = cleaned.result;
  Json json = {{"model", options.out},
               {"trees", result.forest.trees().size()},
               {"rounds", result.num_rounds},
               {"best_round", result.best_round},
               {"end", end_text(result)}};
  if (options.has_clean()) {
    json["cleaning"] = cleaned.cleaning.summary;
    json["dropped"] = cleaned.cleaning.dropped.size();
  }
  if (!cleaned.grid.empty()) {
    json["grid"] = grid_json(cleaned, num_rows, stopping_name(options.params));
  }
  for (const NamedValue& value : best_values(result)) json[value.name] = value.value;
  for (const NamedValue& value : test) json[value.name] = value.value;
  output.out << json.dump(2) << '\n';
}

void print_text(const TrainOptions& options, const CleanedResult& cleaned, std::size_t num_rows,
                const std::vector<NamedValue>& test, Output& output) {
  const LambdamartResult& result = cleaned.result;
  if (!cleaned.grid.empty()) {
    output.out << grid_text(cleaned, num_rows, stopping_name(options.params));
  }
  if (options.has_clean()) fmt::print(output.out, "{}\n", cleaned.cleaning.summary);
  fmt::print(output.out, "{} trees kept, {}: {}\n", result.forest.trees().size(), end_text(result),
             options.out);
  const std::vector<NamedValue> best = best_values(result);
  const bool is_chosen = !options.valid.empty() && options.params.patience > 0;
  if (is_chosen) fmt::print(output.out, "best round {}\n", result.best_round);
  for (const NamedValue& value : best) {
    fmt::print(output.out, "{} {:.6f}\n", value.name, value.value);
  }
  for (const NamedValue& value : test) {
    fmt::print(output.out, "{} {:.6f}\n", value.name, value.value);
  }
}

}  // namespace

void train_model(const TrainOptions& options, const Context& context, Output& output) {
  ModelTraining training(options, context);
  const CleanedResult cleaned = training.run();
  const LambdamartResult& result = cleaned.result;
  training.write(cleaned);
  if (result.forest.trees().empty() && result.end == BoostingEnd::kNoSplitLeft) {
    context.warn("no tree could be grown: every document gets the same score");
  }
  const std::vector<NamedValue> test = test_values(result.forest, options, context);
  if (output.json) {
    print_json(options, cleaned, training.num_rows(), test, output);
  } else {
    print_text(options, cleaned, training.num_rows(), test, output);
  }
}

}  // namespace glassrank::cli
