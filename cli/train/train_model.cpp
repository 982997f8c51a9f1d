// One training run of `glassrank train`: checkpoints, resuming, the model, the learning curve.

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/clean_table.h"
#include "cli/output_file.h"
#include "cli/terminal.h"
#include "cli/train/run_checkpoint.h"
#include "cli/train/train_model_text.h"
#include "cli/train/train_modes.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/methods/lambdamart/cleaned_lambdamart.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/report/run_record.h"

namespace glassrank::cli {
namespace {

class ModelTraining {
 public:
  ModelTraining(const TrainOptions& options, const Context& context)
      : options_(options),
        context_(context),
        data_(load_values_or_bins(options, context)),
        provenance_(run_provenance(data_, options.params, context)),
        base_(options.base_checkpoint_file(), with_phase("base model of cleaning"),
              "the base model", keeps_checkpoints(), context),
        main_(options.main_checkpoint_file(), with_phase("main effects"), "the main effects",
              keeps_checkpoints(), context),
        final_(options.checkpoint_file(), provenance_, final_name(), keeps_checkpoints(), context) {
  }

  CleanedResult run() {
    prepare();
    CleanedRun run;
    if (options_.has_clean()) {
      begin(run.base, base_);
      run.base.save_end = [this](const Forest& grown) { base_.save(grown); };
    }
    if (is_ilmart()) {
      begin(run.main, main_);
      run.main.save_end = [this](const Forest& grown) { main_.save(grown); };
    }
    begin(run.final, final_);
    say_when_it_stops();
    try {
      return train_cleaned(data_.train, *prepared_, options_.params, run, context_);
    } catch (Error& error) {  // only cleaning throws it, and what it has is saved
      if (error.kind() != ErrorKind::kInterrupted || !options_.has_clean()) throw;
      fail(ErrorKind::kInterrupted, "{}{}", error.message(),
           keeps_checkpoints() ? "; --resume goes on" : "");
    }
  }

  // Returns the model it wrote.
  Model write(const CleanedResult& cleaned) const {
    const LambdamartResult& result = cleaned.result;
    const bool is_interrupted = result.end == BoostingEnd::kInterrupted;
    if (is_interrupted && result.num_rounds == 0) context_.check_stop();
    // Main effects have a checkpoint of their own.
    const bool is_final = !is_ilmart() || result.ilmart->began_interactions;
    if (is_interrupted && is_final) final_.save(result.grown);
    Provenance lines = provenance_;
    if (options_.has_clean()) lines.emplace_back("cleaning", cleaned.cleaning.summary);
    if (is_interrupted) lines.emplace_back("interrupted", end_text(result));
    Model model = trained_model({result.forest, bags_of(result)}, std::move(lines), options_, data_,
                                context_);
    save_model(options_.out, model, options_.model_format, context_);
    if (!options_.curve.empty()) write_text_file(options_.curve, curve_text(result));
    if (!options_.record.empty()) {
      write_text_file(options_.record, run_record_json(provenance_, result, end_text(result)));
    }
    if (!options_.dropped.empty()) {
      write_text_file(options_.dropped, dropped_tsv(train().table(), cleaned.cleaning));
    }
    if (is_interrupted) {
      fail(ErrorKind::kInterrupted, "stopped after {} rounds; the best model so far, {}, is {}{}",
           result.num_rounds, kept_text(result, options_), options_.out,
           keeps_checkpoints() ? "; --resume goes on" : "");
    }
    final_.remove();
    if (options_.has_clean()) base_.remove();
    if (is_ilmart()) main_.remove();
    return model;
  }

  const BinnedDataset& train() const { return prepared_->train; }

 private:
  void prepare() {
    const Dataset* valid = data_.valid ? &*data_.valid : nullptr;
    const Forest* start = data_.start ? &*data_.start : nullptr;
    prepared_ = data_.bins
                    ? prepare_lambdamart(*data_.bins, valid, options_.params, context_, start)
                    : prepare_lambdamart(data_.train, valid, options_.params, context_, start);
  }

  // A pipe or device has no place beside it; bags cannot go on.
  bool keeps_checkpoints() const { return !is_bagged() && is_regular_or_new(options_.out); }

  bool is_bagged() const { return options_.params.ilmart && options_.params.ilmart->is_bagged(); }
  bool is_ilmart() const { return options_.params.ilmart.has_value(); }

  Provenance with_phase(const char* phase) const {
    Provenance lines = provenance_;
    lines.emplace_back("phase", phase);
    return lines;
  }

  // In messages; a run of one training needs none.
  std::string final_name() const {
    if (is_ilmart()) return "the interactions";
    return options_.has_clean() ? "the final model" : "";
  }

  void begin(LambdamartRun& run, RunCheckpoint& checkpoint) const {
    run.warm_start = data_.start;
    if (!is_bagged()) run.resumed = checkpoint.load(options_.resume);
    checkpoint.attach(run, static_cast<std::size_t>(options_.checkpoint_every));
    if (!messages_reach_a_terminal()) {
      run.log_every = static_cast<std::size_t>(options_.log_every);
    }
  }

  void say_when_it_stops() const {
    if (options_.params.patience == 0) return;
    const bool is_by_bag = is_ilmart() && options_.params.ilmart->stop_on == StopOn::kBag;
    if (!data_.valid && !is_by_bag) {
      if (!is_bagged()) return;
      context_.info(
          "without --valid nothing stops a bag: each grows all trees; --stop-on bag stops it on "
          "the "
          "queries it leaves out");
      return;
    }
    context_.info(fmt::format("training until {} has not risen for {} rounds",
                              stopping_name(options_.params, is_by_bag ? "held-out" : "valid"),
                              options_.params.patience));
  }

  const TrainOptions& options_;
  const Context& context_;
  TrainData data_;
  std::optional<LambdamartData> prepared_;  // once it runs
  Provenance provenance_;
  RunCheckpoint base_;
  RunCheckpoint main_;
  RunCheckpoint final_;
};

}  // namespace

void train_model(const TrainOptions& options, const Context& context, Output& output) {
  ModelTraining training(options, context);
  const CleanedResult cleaned = training.run();
  const LambdamartResult& result = cleaned.result;
  const Model model = training.write(cleaned);
  if (result.forest.trees().empty() && result.end == BoostingEnd::kNoSplitLeft) {
    context.warn("no tree could be grown: every document gets the same score");
  }
  const std::vector<NamedValue> test = test_values(model, options, context);
  const TrainedModel trained{.cleaned = cleaned, .train = training.train(), .test = test};
  if (output.json) {
    print_json(options, trained, output);
  } else {
    print_text(options, trained, output);
  }
}

}  // namespace glassrank::cli
