// One training run of `glassrank train`: checkpoints, resuming, the model, the learning curve.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/output_file.h"
#include "cli/terminal.h"
#include "cli/train_modes.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/methods/training_checkpoint.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/report/run_record.h"

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
        provenance_(run_provenance(data_, options.params, context)) {}

  LambdamartResult run() {
    const LambdamartData data =
        prepare_lambdamart(data_.train, data_.valid ? &*data_.valid : nullptr, options_.params,
                           context_, data_.start ? &*data_.start : nullptr);
    LambdamartRun run{.warm_start = data_.start, .resumed = resumed()};
    if (keeps_checkpoints()) {
      run.checkpoint_every = static_cast<std::size_t>(options_.checkpoint_every);
      run.save_checkpoint = [this](const Forest& grown) { save_if_cheap(grown); };
    }
    if (!messages_reach_a_terminal()) {
      run.log_every = static_cast<std::size_t>(options_.log_every);
    }
    say_when_it_stops();
    return train_lambdamart(data, options_.params, run, context_);
  }

  void write(const LambdamartResult& result) const {
    const bool is_interrupted = result.end == BoostingEnd::kInterrupted;
    if (is_interrupted && result.num_rounds == 0) context_.check_stop();
    if (is_interrupted && keeps_checkpoints()) save(result.grown);
    Provenance lines = provenance_;
    if (is_interrupted) lines.emplace_back("interrupted", end_text(result));
    save_model(options_.out, {.body = result.forest, .provenance = std::move(lines)},
               options_.model_format, context_);
    if (!options_.curve.empty()) write_text_file(options_.curve, curve_text(result));
    if (!options_.record.empty()) {
      write_text_file(options_.record, run_record_json(provenance_, result, end_text(result)));
    }
    if (is_interrupted) {
      fail(ErrorKind::kInterrupted,
           "stopped after {} rounds; the best model so far, {} trees, is {}{}", result.num_rounds,
           result.forest.trees().size(), options_.out,
           keeps_checkpoints() ? "; --resume goes on" : "");
    }
    if (keeps_checkpoints()) std::filesystem::remove(options_.checkpoint_file());
  }

 private:
  // A pipe or device has no place beside it.
  bool keeps_checkpoints() const { return is_regular_or_new(options_.out); }

  void save(const Forest& grown) const {
    save_checkpoint(options_.checkpoint_file(), grown, provenance_);
  }

  // Long forests of quick rounds would spend their time writing: at most a twentieth of it may go.
  void save_if_cheap(const Forest& grown) {
    const Clock::time_point begin = Clock::now();
    if (begin - last_save_ < 20 * save_time_) return;
    save(grown);
    last_save_ = Clock::now();
    save_time_ = last_save_ - begin;
  }

  std::optional<Forest> resumed() const {
    const std::string path = options_.checkpoint_file();
    if (!options_.resume) {
      if (std::filesystem::exists(path)) {
        context_.info(
            fmt::format("{} of an earlier run is replaced; --resume would go on from it", path));
      }
      return std::nullopt;
    }
    std::optional<Forest> trees = load_checkpoint(path, provenance_, context_);
    if (trees) {
      context_.info(fmt::format("going on from {}: {} trees", path, trees->trees().size()));
    } else {
      context_.info(fmt::format("there is no {}: training begins with the first round", path));
    }
    return trees;
  }

  void say_when_it_stops() const {
    if (!data_.valid || options_.params.patience == 0) return;
    context_.info(fmt::format("training until {} has not risen for {} rounds",
                              stopping_name(options_.params), options_.params.patience));
  }

  using Clock = std::chrono::steady_clock;

  const TrainOptions& options_;
  const Context& context_;
  TrainData data_;
  Provenance provenance_;
  Clock::time_point last_save_ = Clock::now();
  Clock::duration save_time_{};
};

void print_json(const TrainOptions& options, const LambdamartResult& result,
                const std::vector<NamedValue>& test, Output& output) {
  Json json = {{"model", options.out},
               {"trees", result.forest.trees().size()},
               {"rounds", result.num_rounds},
               {"best_round", result.best_round},
               {"end", end_text(result)}};
  const MeanCost cost = mean_cost(result.costs);
  if (cost.num_rounds > 0) {
    json["row_share"] = cost.row_share;
    json["ms_per_tree"] = 1e3 * cost.seconds;
  }
  for (const NamedValue& value : best_values(result)) json[value.name] = value.value;
  for (const NamedValue& value : test) json[value.name] = value.value;
  output.out << json.dump(2) << '\n';
}

void print_text(const TrainOptions& options, const LambdamartResult& result,
                const std::vector<NamedValue>& test, Output& output) {
  fmt::print(output.out, "{} trees kept, {}: {}\n", result.forest.trees().size(), end_text(result),
             options.out);
  const std::vector<NamedValue> best = best_values(result);
  const bool is_chosen = !options.valid.empty() && options.params.patience > 0;
  if (is_chosen) fmt::print(output.out, "best round {}\n", result.best_round);
  const MeanCost cost = mean_cost(result.costs);
  if (options.params.sample.method != SampleMethod::kNone && cost.num_rounds > 0) {
    fmt::print(output.out, "trees saw {:.2f} % of the rows and took {:.1f} ms each\n",
               100 * cost.row_share, 1e3 * cost.seconds);
  }
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
  const LambdamartResult result = training.run();
  training.write(result);
  if (result.forest.trees().empty() && result.end == BoostingEnd::kNoSplitLeft) {
    context.warn("no tree could be grown: every document gets the same score");
  }
  const std::vector<NamedValue> test = test_values(result.forest, options, context);
  if (output.json) {
    print_json(options, result, test, output);
  } else {
    print_text(options, result, test, output);
  }
}

}  // namespace glassrank::cli
