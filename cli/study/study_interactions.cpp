// glassrank study interactions: quality of a glass box against the number of its pairs.

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/base/error.h"
#include "glassrank/methods/training/check_training.h"
#include "glassrank/report/study_plots/interaction_plot.h"

namespace glassrank::cli {
namespace {

class StudyInteractions final : public Command {
 public:
  StudyInteractions() { ilmart_.trees.watch.train_metric = false; }
  std::string name() const override { return "study interactions"; }
  std::string summary() const override {
    return "Quality of ilmart against the number of its interactions, beside lambdamart";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank study interactions --train train.txt --valid valid.txt --test test.txt --counts "
        "0,1,2,5,10,20 --out interactions"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("train", train_, "training data", {.required = true, .file = FileUse::kInput});
    visitor.field("valid", valid_, "validation data", {.required = true, .file = FileUse::kInput});
    visitor.field("test", test_, "test data", {.required = true, .file = FileUse::kInput});
    files_.visit(visitor);
    study_.visit(visitor);
    ilmart_.visit(visitor);
    read_.visit_matching(visitor);
    visitor.group("read", read_);
  }

  std::vector<NamedFile> files_beside() const override { return files_.written(); }
  std::vector<ParamUse> uses() const override { return boosting_uses(); }
  std::string results() const override {
    return results_markdown<WrittenStudy<InteractionStudy>>();
  }
  void run(const Context& context, Output& output) override {
    if (ilmart_.num_interactions >= 0) {
      fail(ErrorKind::kUsage, "--num-interactions is for train; here --counts says how many");
    }
    files_.check();
    const TrainingParts parts = load_training_parts({train_, valid_, test_}, read_, context);
    files_.write(
        study_interactions(parts.train, parts.valid, *parts.test, ilmart_, study_, context),
        output);
  }

 private:
  std::string train_;
  std::string valid_;
  std::string test_;
  StudyFiles files_;
  InteractionStudyParams study_;
  IlmartParams ilmart_;  // num_interactions aside: the counts
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_interactions_command() {
  return std::make_unique<StudyInteractions>();
}

}  // namespace glassrank::cli
