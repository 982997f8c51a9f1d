// glassrank study ranks: how the documents of a query move from tree to tree.

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/base/error.h"
#include "glassrank/report/study_plots/rank_plot.h"

namespace glassrank::cli {
namespace {

class StudyRanks final : public Command {
 public:
  std::string name() const override { return "study ranks"; }
  std::string summary() const override {
    return "The rank of every document of a query after each tree of a model";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank study ranks --model m.txt --data train.txt --query 1349 --out ranks",
            "glassrank study ranks --model high-low.txt --model selective.txt --data train.txt "
            "--out ranks"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("model", models_, "model file; several models are shown one below the other",
                  {.required = true, .file = FileUse::kInput, .one_value = true});
    visitor.field("data", data_, "data file", {.required = true, .file = FileUse::kInput});
    files_.visit(visitor);
    params_.visit(visitor);
    read_.visit_matching(visitor);
    visitor.group("read", read_);
  }

  std::vector<NamedFile> files_beside() const override { return files_.written(); }
  std::string results() const override { return results_markdown<WrittenStudy<RankStudy>>(); }
  void run(const Context& context, Output& output) override {
    files_.check();
    const StudyInputs loaded = load_study_inputs(models_, data_, read_, context);
    try {
      files_.write(study_ranks(loaded.forests(), loaded.data, params_), output);
    } catch (Error& error) {
      error.add_context(data_);
      throw;
    }
  }

 private:
  std::vector<std::string> models_;
  std::string data_;
  StudyFiles files_;
  RankStudyParams params_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_ranks_command() { return std::make_unique<StudyRanks>(); }

}  // namespace glassrank::cli
