// glassrank train: a ranker from a training file, stopped by a validation file.

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/train/train_modes.h"
#include "cli/train/train_options.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/methods/lambdamart/lightgbm_config.h"

namespace glassrank::cli {
namespace {

class TrainCommand final : public Command {
 public:
  std::string name() const override { return "train"; }
  std::string summary() const override { return "Train a ranker"; }
  std::vector<std::string> examples() const override {
    return {"glassrank train --train train.txt --valid valid.txt --test test.txt --out model.txt",
            "glassrank train --train train.txt --num-trees 300 --num-leaves 64 --out model.txt",
            "glassrank train --train all.txt --folds 5 --out model.txt",
            "glassrank train --train train.txt --valid valid.txt --search "
            "num_leaves=16..128,learning_rate=0.02..0.2:log --out model.txt",
            "glassrank train --train train.txt --monotone +bm25,-price --sample goss --out "
            "model.txt",
            "glassrank train --method ilmart --num-interactions 20 --train train.txt --valid "
            "valid.txt --out glass.txt",
            "glassrank train --method ebm --ebm.num-interactions 20 --train train.txt --test "
            "test.txt --out glass.txt",
            "glassrank train --from-lightgbm train.conf --resume"};
  }
  void visit(ParamVisitor& visitor) override { options_.visit(visitor); }
  void read_config_from(const std::string& path) override { options_.config = path; }
  void read_given(const std::vector<std::string>& names) override { options_.given = names; }
  std::string import_option() const override { return "from_lightgbm"; }

  std::vector<ParamAssignment> import_settings(const std::string& path) override {
    const std::string text = read_text_file(path);
    try {
      ImportedConfig imported = import_lightgbm_config(text);
      notes_ = std::move(imported.notes);
      return std::move(imported.settings);
    } catch (Error& error) {
      error.add_context(path);
      throw;
    }
  }

  void run(const Context& context, Output& output) override {
    for (const std::string& note : notes_) {
      context.warn(fmt::format("{}: {}", options_.from_lightgbm, note));
    }
    options_.settle();
    options_.check();
    if (options_.is_treeless()) {
      train_glass(options_, context, output);
    } else if (options_.has_search()) {
      train_search(options_, context, output);
    } else if (options_.folds > 0) {
      train_folds(options_, context, output);
    } else {
      train_model(options_, context, output);
    }
  }

 private:
  TrainOptions options_;
  std::vector<std::string> notes_;  // what a LightGBM config asked for in vain
};

}  // namespace

std::unique_ptr<Command> make_train_command() { return std::make_unique<TrainCommand>(); }

}  // namespace glassrank::cli
