// glassrank study noise: wrong grades on purpose, with and without cleaning.

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/methods/training/check_training.h"
#include "glassrank/report/study_plots/noise_plot.h"

namespace glassrank::cli {
namespace {

class StudyNoise final : public Command {
 public:
  StudyNoise() {
    clean_.method = CleanMethod::kSour;
    clean_.type = Tunable<DocumentType>::by_default(DocumentType::kPos);
    params_.watch.train_metric = false;
  }
  std::string name() const override { return "study noise"; }
  std::string summary() const override {
    return "Flip grades, train with and without cleaning, measure on clean test data";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank study noise --train train.txt --valid valid.txt --test test.txt --out noise",
            "glassrank study noise --train train.txt --valid valid.txt --test test.txt --rates 0.1 "
            "--clean isolation-forest --out noise"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("train", train_, "training data", {.required = true, .file = FileUse::kInput});
    visitor.field("valid", valid_, "validation data, flipped too",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("test", test_, "test data, never flipped",
                  {.required = true, .file = FileUse::kInput});
    files_.visit(visitor);
    study_.visit(visitor);
    params_.visit(visitor);
    visitor.group("clean", clean_);
    read_.visit_matching(visitor);
    visitor.group("read", read_);
  }

  std::vector<NamedFile> files_beside() const override { return files_.written(); }
  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses = boosting_uses();
    add_group_uses(uses, "sample.", sample_uses());
    add_group_uses(uses, "clean.", clean_uses());
    uses.push_back({.name = "clean.start", .needs = "starts", .excludes = true});
    return uses;
  }
  std::string results() const override { return results_markdown<WrittenStudy<NoiseStudy>>(); }
  void run(const Context& context, Output& output) override {
    files_.check();
    const TrainingParts parts = load_training_parts({train_, valid_, test_}, read_, context);
    files_.write(
        study_noise({parts.train, parts.valid, *parts.test}, params_, clean_, study_, context),
        output);
  }

 private:
  std::string train_;
  std::string valid_;
  std::string test_;
  StudyFiles files_;
  NoiseStudyParams study_;
  LambdamartParams params_;
  CleanParams clean_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_noise_command() { return std::make_unique<StudyNoise>(); }

}  // namespace glassrank::cli
