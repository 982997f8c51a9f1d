// glassrank study leaf-scores: what the trees of models give to relevant documents, outliers and
// the rest.

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/report/study_plots/leaf_score_plot.h"

namespace glassrank::cli {
namespace {

class StudyLeafScores final : public Command {
 public:
  std::string name() const override { return "study leaf-scores"; }
  std::string summary() const override {
    return "What trees give to relevant documents at the top, to outliers and to the rest";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank study leaf-scores --model base.txt --model cleaned.txt --data test.txt --out "
        "leaves"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("model", models_,
                  "models to probe; the first decides which documents are outliers and at the top",
                  {.required = true, .file = FileUse::kInput, .one_value = true});
    visitor.field("data", data_, "data file", {.required = true, .file = FileUse::kInput});
    files_.visit(visitor);
    params_.visit(visitor);
    read_.visit_matching(visitor);
    visitor.group("read", read_);
  }

  std::vector<NamedFile> files_beside() const override { return files_.written(); }
  std::string results() const override { return results_markdown<WrittenStudy<LeafScoreStudy>>(); }
  void run(const Context& context, Output& output) override {
    files_.check();
    params_.shown_trees();  // throws for what no data could make right
    const StudyInputs loaded = load_study_inputs(models_, data_, read_, context);
    files_.write(study_leaf_scores(loaded.forests(), loaded.data, params_, context), output);
  }

 private:
  std::vector<std::string> models_;
  std::string data_;
  StudyFiles files_;
  LeafScoreParams params_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_leaf_scores_command() {
  return std::make_unique<StudyLeafScores>();
}

}  // namespace glassrank::cli
