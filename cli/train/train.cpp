// glassrank train: a ranker from a training file, stopped by a validation file.

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/terminal.h"
#include "cli/train/train_options.h"
#include "glassrank/base/agree.h"
#include "glassrank/base/alike.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/methods/lambdamart/lightgbm_config.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/run_record.h"

namespace glassrank::cli {
namespace {

class TrainCommand final : public Command {
 public:
  std::string name() const override { return "train"; }
  std::string summary() const override { return "Train a ranker"; }
  std::vector<std::string> examples() const override {
    return {"glassrank train --train train.txt --valid valid.txt --test test.txt --out model.txt",
            "glassrank train --method ilmart --train train.txt --valid valid.txt --out glass.txt",
            "glassrank train --train train.txt --valid valid.txt --search num_leaves=16..128 "
            "--out model.txt",
            "glassrank train --train train.txt --num-trees 300 --num-leaves 64 --out model.txt",
            "glassrank train --train all.txt --folds 5 --out model.txt",
            "glassrank train --train train.txt --monotone +bm25,-price --sample goss --out "
            "model.txt",
            "glassrank train --method ebm --num-interactions 20 --train train.txt --test "
            "test.txt --out glass.txt",
            "glassrank train --from-lightgbm train.conf --resume"};
  }
  void visit(ParamVisitor& visitor) override { options_.visit(visitor); }
  std::string selector() const override { return "method"; }
  std::vector<std::string> selections() const override {
    std::vector<std::string> names;
    for (const MethodInfo& info : method_table()) names.emplace_back(info.name);
    return names;
  }
  void select(const std::string& method) override { options_.choose_method(method); }
  std::string present_name(const std::string& name) override {
    const std::string present = options_.present_name(name);
    if (!present.empty()) notes_.push_back(fmt::format("{} is called {} now", name, present));
    return present;
  }
  void read_given(const std::vector<std::string>& names) override { options_.files.given = names; }
  std::string import_option() const override { return "from_lightgbm"; }

  std::vector<ParamAssignment> import_settings(const std::string& path) override {
    const std::string text = read_text_file(path);
    try {
      ImportedConfig imported = import_lightgbm_config(text);
      for (const std::string& note : imported.notes) {
        notes_.push_back(fmt::format("{}: {}", path, note));
      }
      for (const std::string& each : imported.lost) {
        lost_.push_back(fmt::format("{}: {}", path, each));
      }
      return std::move(imported.settings);
    } catch (Error& error) {
      error.add_context(path);
      throw;
    }
  }

  std::vector<NamedFile> files_beside() const override { return options_.files_beside(); }
  std::string results() const override {
    return "One training:\n\n" + results_markdown<TrainReport>() + "\nWith `--folds`:\n\n" +
           results_markdown<FoldsReport>() + "\nWith `--search`:\n\n" +
           results_markdown<SearchReport>() + "\nThe file of `--record`:\n\n" +
           results_markdown<RunRecord>();
  }

  void run(const Context& context, Output& output) override {
    check_alike(context);
    agree(context, [&] { check_lost(); });
    for (const std::string& note : notes_) context.warn(note);
    for (const std::string& each : lost_) context.warn(each);
    options_.settle();
    check_alike(context);  // also what depends on which options were named
    options_.check(context);
    const Method& method = *options_.method;
    const TrainPlan& plan = options_.plan;
    if (plan.has_search()) {
      const SearchReport report =
          train_search(method, options_.files, plan.num_folds, plan.search, context);
      output.out << (output.json ? json_text(report) : search_text(report));
    } else if (plan.num_folds > 0) {
      const FoldsReport report = train_folds(method, options_.files, plan.num_folds, context);
      output.out << (output.json ? json_text(report) : folds_text(report));
    } else {
      const TrainReport report = train_to_file(method, options_.files, run_params(), context);
      output.out << (output.json ? json_text(report) : train_text(report));
    }
  }

 private:
  // Machines have files of their own names, but one task: a file that one of them has, all have.
  void check_alike(const Context& context) {
    std::vector<Setting> settings = {{"seed", std::to_string(context.seed)}};
    ParamLister lister;
    options_.visit(lister);
    for (const ParamInfo& info : lister.infos) {
      const bool is_file = info.style.file != FileUse::kNone && !info.value.empty();
      settings.emplace_back(info.name, is_file ? "a file" : info.value);
    }
    require_alike(*context.communicator, settings);
  }

  // A model without what its config asked for is another model.
  void check_lost() const {
    if (options_.force && options_.from_lightgbm.empty()) {
      fail(ErrorKind::kUsage, "--force belongs to --from-lightgbm");
    }
    if (lost_.empty() || options_.force) return;
    std::string text = fmt::format("{}", fmt::join(lost_, "\n  "));
    fail(ErrorKind::kUsage, "{}\n--force trains without {}", text,
         lost_.size() == 1 ? "it" : "them");
  }

  RunParams run_params() const {
    const bool is_logged = !messages_reach_a_terminal();
    return {.resumes = options_.plan.resumes,
            .checkpoint_every = static_cast<std::size_t>(options_.checkpoint_every),
            .log_every = is_logged ? static_cast<std::size_t>(options_.log_every) : 0,
            .keeps_checkpoints = options_.keeps_checkpoints()};
  }

  TrainOptions options_;
  std::vector<std::string> notes_;  // names that changed, what is done in another way
  std::vector<std::string> lost_;   // what a LightGBM config asks for in vain
};

}  // namespace

std::unique_ptr<Command> make_train_command() { return std::make_unique<TrainCommand>(); }

}  // namespace glassrank::cli
