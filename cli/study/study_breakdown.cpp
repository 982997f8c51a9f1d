// glassrank study breakdown: models on queries with and without outliers.

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/base/error.h"
#include "glassrank/base/file_names.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/report/study_plots/breakdown_plot.h"

namespace glassrank::cli {
namespace {

class StudyBreakdown final : public Command {
 public:
  std::string name() const override { return "study breakdown"; }
  std::string summary() const override {
    return "Compare models on queries with and without outliers";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank study breakdown --base base.txt --model plain.txt --model cleaned.txt --data "
        "test.txt --type neg --out breakdown"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("model", models_, "models to compare, with the first one",
                  {.required = true, .file = FileUse::kInput, .one_value = true});
    visitor.field("base", base_,
                  "model that decides which documents are outliers; by default the first one",
                  {.file = FileUse::kInput});
    visitor.field("data", data_, "data file", {.required = true, .file = FileUse::kInput});
    files_.visit(visitor);
    params_.visit(visitor);
    read_.visit_matching(visitor);
    visitor.group("read", read_);
  }

  std::vector<NamedFile> files_beside() const override { return files_.written(); }
  std::string results() const override { return results_markdown<WrittenStudy<Breakdown>>(); }
  void run(const Context& context, Output& output) override {
    files_.check();
    if (models_.size() < 2)
      fail(ErrorKind::kUsage, "give --model twice or more: one to compare with");
    params_.check();
    std::vector<std::string> all = models_;
    if (!base_.empty()) all.push_back(base_);
    StudyInputs loaded = load_study_inputs(all, data_, read_, context);
    const Forest base = loaded.forest(base_.empty() ? 0 : models_.size());
    loaded.models.resize(models_.size());
    loaded.names = names_of_files(models_);
    files_.write(study_breakdown(loaded.forests(), base, loaded.data, params_, context), output);
  }

 private:
  std::vector<std::string> models_;
  std::string base_;
  std::string data_;
  StudyFiles files_;
  BreakdownParams params_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_breakdown_command() {
  return std::make_unique<StudyBreakdown>();
}

}  // namespace glassrank::cli
