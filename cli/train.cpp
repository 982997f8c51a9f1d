// glassrank train: a ranker from a training file, stopped by a validation file.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/version.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/methods/lambdamart.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/forest_scorer.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/objectives/registry.h"

namespace glassrank::cli {
namespace {

std::string end_text(const LambdamartResult& result) {
  switch (result.end) {
    case BoostingEnd::kStoppedByObserver:
      return fmt::format("stopped early after {} rounds", result.num_rounds);
    case BoostingEnd::kNoSplitLeft:
      return fmt::format("no split left after {} rounds", result.num_rounds);
    case BoostingEnd::kInterrupted:
      return fmt::format("interrupted after {} rounds", result.num_rounds);
    case BoostingEnd::kAllRounds:
      break;
  }
  return fmt::format("{} rounds", result.num_rounds);
}

class TrainCommand final : public Command {
 public:
  std::string name() const override { return "train"; }
  std::string summary() const override { return "Train a LambdaMART ranker"; }
  std::vector<std::string> examples() const override {
    return {"glassrank train --train train.txt --valid valid.txt --test test.txt --out model.txt",
            "glassrank train --train train.txt --num-trees 300 --num-leaves 64 --out model.txt"};
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("train", train_, "training data", {.required = true, .value_name = "FILE"});
    visitor.field("valid", valid_, "validation data: stops training", {.value_name = "FILE"});
    visitor.field("test", test_, "test data: evaluated at the end", {.value_name = "FILE"});
    visitor.field("out", out_, "model file to write", {.required = true, .value_name = "FILE"});
    visitor.field("model_format", model_format_,
                  "format of the model file (glassrank list models)");
    visitor.field("curve", curve_, "write the metrics of every round to this TSV file",
                  {.value_name = "FILE"});
    params_.visit(visitor);
    visitor.group("read", read_);
  }

  void run(const Context& context, Output& output) override {
    model_formats_known();
    make_objective(params_.objective, context.seed);  // refuses what does not exist before reading
    const Dataset train = load_dataset(train_, read_, context);
    std::optional<Dataset> valid;
    if (!valid_.empty()) valid = load_dataset(valid_, read_, context);
    const LambdamartResult result =
        train_lambdamart(train, valid ? &*valid : nullptr, params_, context);
    save_model(out_, {.body = result.forest, .provenance = provenance(context)}, model_format_,
               context);
    if (!curve_.empty()) write_text_file(curve_, curve_text(result));
    std::optional<double> test;
    if (!test_.empty()) test = test_metric(result.forest, context);
    print(result, test, output);
  }

 private:
  // Before hours of training, not after.
  void model_formats_known() const {
    if (model_format(model_format_).write == nullptr) {
      fail(ErrorKind::kUsage, "models are not written as {}; see glassrank list models",
           model_format_);
    }
  }

  Provenance provenance(const Context& context) const {
    Provenance lines = {{"program", fmt::format("glassrank {}", kVersion)},
                        {"method", "lambdamart"},
                        {"train", train_},
                        {"valid", valid_},
                        {"seed", fmt::format("{}", context.seed)}};
    for (const ParamInfo& info : list_params(params_)) {
      lines.emplace_back("params." + info.name, info.value);
    }
    return lines;
  }

  std::string curve_text(const LambdamartResult& result) const {
    std::string text = "round\ttrain " + params_.metric;
    if (!valid_.empty()) text += "\tvalid " + params_.metric;
    text += '\n';
    for (std::size_t round = 0; round < result.curve.size(); ++round) {
      text += fmt::format("{}", round + 1);
      for (const double value : result.curve[round]) text += fmt::format("\t{}", value);
      text += '\n';
    }
    return text;
  }

  double test_metric(const Forest& forest, const Context& context) const {
    const Dataset test = load_dataset(test_, read_, context);
    std::vector<double> scores(test.num_rows());
    ForestScorer(forest).score(test.features(), scores, context);
    return evaluate(DatasetLists(test, scores), std::vector{parse_metric(params_.metric)},
                    Convention{}, context)
        .metrics.front()
        .mean;
  }

  void print(const LambdamartResult& result, std::optional<double> test, Output& output) const {
    if (output.json) {
      Json json = {
          {"model", out_}, {"trees", result.forest.trees().size()}, {"rounds", result.num_rounds}};
      if (!valid_.empty()) json["valid " + params_.metric] = result.best_metric;
      if (test) json["test " + params_.metric] = *test;
      output.out << json.dump(2) << '\n';
      return;
    }
    output.out << fmt::format("{} trees kept, {}: {}\n", result.forest.trees().size(),
                              end_text(result), out_);
    if (!valid_.empty()) {
      output.out << fmt::format("valid {} {:.6f}\n", params_.metric, result.best_metric);
    }
    if (test) output.out << fmt::format("test {} {:.6f}\n", params_.metric, *test);
  }

  std::string train_;
  std::string valid_;
  std::string test_;
  std::string out_;
  std::string model_format_ = "native";
  std::string curve_;
  LambdamartParams params_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_train_command() { return std::make_unique<TrainCommand>(); }

}  // namespace glassrank::cli
