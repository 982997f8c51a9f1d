// glassrank study sampling: rows, time and quality of trees grown on samples.

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/report/study_plots/sampling_plot.h"

namespace glassrank::cli {
namespace {

class StudySampling final : public Command {
 public:
  StudySampling() { params_.watch.train_metric = false; }
  std::string name() const override { return "study sampling"; }
  std::string summary() const override {
    return "Share of the data and time per tree of full, selective and high-low training";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank study sampling --train train.txt --valid valid.txt --test test.txt "
        "--selective-top 0.01 --high-low-top 0.01 --high-low-bottom 0.02 --out sampling"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("train", train_, "training data", {.required = true, .value_name = "FILE"});
    visitor.field("valid", valid_, "validation data", {.required = true, .value_name = "FILE"});
    visitor.field("test", test_, "test data", {.value_name = "FILE"});
    files_.visit(visitor);
    study_.visit(visitor);
    params_.visit(visitor);
    visitor.group("read", read_);
  }

  std::string results() const override { return results_markdown<WrittenStudy<SamplingStudy>>(); }
  void run(const Context& context, Output& output) override {
    std::vector<std::string> inputs = {train_, valid_};
    if (!test_.empty()) inputs.push_back(test_);
    files_.check(inputs);
    const TrainingParts parts = load_training_parts({train_, valid_, test_}, read_, context);
    files_.write(study_sampling(parts.train, parts.valid, parts.test ? &*parts.test : nullptr,
                                params_, study_, context),
                 output);
  }

 private:
  std::string train_;
  std::string valid_;
  std::string test_;
  StudyFiles files_;
  SamplingStudyParams study_;
  LambdamartParams params_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_sampling_command() { return std::make_unique<StudySampling>(); }

}  // namespace glassrank::cli
