// glassrank study sampling: rows, time and quality of trees grown on samples.

#include <algorithm>

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/base/error.h"
#include "glassrank/methods/training/check_training.h"
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
    visitor.field("train", train_, "training data", {.required = true, .file = FileUse::kInput});
    visitor.field("valid", valid_, "validation data", {.required = true, .file = FileUse::kInput});
    visitor.field("test", test_, "test data", {.file = FileUse::kInput});
    files_.visit(visitor);
    study_.visit(visitor);
    params_.visit(visitor);
    read_.visit_matching(visitor);
    visitor.group("read", read_);
  }

  std::vector<NamedFile> files_beside() const override { return files_.written(); }
  void read_given(const std::vector<std::string>& names) override { given_ = names; }
  // The systems of the study choose the sampler; what else there is of one, they look at.
  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses = boosting_uses();
    uses.push_back({"selective_top", "systems", {"selective"}});
    uses.push_back({"high_low_top", "systems", {"high-low"}});
    uses.push_back({"high_low_bottom", "systems", {"high-low"}});
    uses.push_back({"permutations", "test"});
    return uses;
  }
  std::string results() const override { return results_markdown<WrittenStudy<SamplingStudy>>(); }
  void run(const Context& context, Output& output) override {
    files_.check();
    refuse_own();
    const TrainingParts parts = load_training_parts({train_, valid_, test_}, read_, context);
    files_.write(study_sampling(parts.train, parts.valid, parts.test ? &*parts.test : nullptr,
                                params_, study_, context),
                 output);
  }

 private:
  // What the systems of the study set themselves.
  void refuse_own() const {
    for (const char* own : {"fraction", "top", "other", "bottom"}) {
      if (std::ranges::find(given_, fmt::format("sample.{}", own)) == given_.end()) continue;
      fail(ErrorKind::kUsage,
           "--sample.{} is set by the systems of this study; --selective-top, --high-low-top and "
           "--high-low-bottom are their shares",
           own);
    }
  }

  std::string train_;
  std::string valid_;
  std::string test_;
  StudyFiles files_;
  SamplingStudyParams study_;
  LambdamartParams params_;
  ReadParams read_;
  std::vector<std::string> given_;
};

}  // namespace

std::unique_ptr<Command> make_study_sampling_command() { return std::make_unique<StudySampling>(); }

}  // namespace glassrank::cli
