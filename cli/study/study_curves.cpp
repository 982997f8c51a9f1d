// glassrank study curves: a metric by the number of trees, of several trainings in one picture.

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/file_names.h"
#include "glassrank/report/study_plots/curve_plot.h"

namespace glassrank::cli {
namespace {

class StudyCurves final : public Command {
 public:
  std::string name() const override { return "study curves"; }
  std::string summary() const override {
    return "A metric by the number of trees, of several models and data sets, without training";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank study curves --model plain.txt --model cleaned.txt --data valid.txt --data "
        "test.txt --out curves",
        "glassrank study curves --model model.txt --data test.txt --at 100,200,500,1000 --out "
        "trees",
        "glassrank study curves --learning-curve plain.tsv --learning-curve cleaned.tsv --out "
        "rounds"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("model", models_, "models of trees, each cut after 1, 2, ... of them",
                  {.file = FileUse::kInput, .one_value = true});
    visitor.field("data", data_, "data to measure them on; repeated: several sets",
                  {.file = FileUse::kInput, .one_value = true});
    visitor.field("learning_curve", learning_curves_,
                  "files of train --learning-curve: rounds after the best one, too",
                  {.file = FileUse::kInput, .one_value = true});
    files_.visit(visitor);
    params_.visit(visitor);
    read_.visit_matching(visitor);
    visitor.group("read", read_);
  }

  std::vector<NamedFile> files_beside() const override { return files_.written(); }
  std::string results() const override { return results_markdown<WrittenStudy<CurveStudy>>(); }
  void run(const Context& context, Output& output) override {
    if (models_.empty() != data_.empty()) {
      fail(ErrorKind::kUsage, "--model and --data go together: models are measured on data");
    }
    if (models_.empty() && learning_curves_.empty()) {
      fail(ErrorKind::kUsage, "give --model with --data, or --learning-curve, to draw");
    }
    files_.check();
    params_.shown_trees();  // throws for what no data could make right
    CurveStudy study = models_.empty() ? CurveStudy{.metric = params_.metric} : measure(context);
    const std::vector<std::string> names = names_of_files(learning_curves_);
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (MetricCurve& curve :
           read_learning_curves(read_text_file(learning_curves_[i]), learning_curves_[i], names[i],
                                params_.metric)) {
        study.curves.push_back(std::move(curve));
      }
    }
    choose_shown(study, params_);
    files_.write(study, output);
  }

 private:
  CurveStudy measure(const Context& context) const {
    std::vector<NamedForest> forests;
    std::vector<NamedData> sets;
    const std::vector<std::string> names = names_of_files(data_);
    for (std::size_t d = 0; d < data_.size(); ++d) {
      StudyInputs loaded = load_study_inputs(models_, data_[d], read_, context);
      if (forests.empty()) forests = loaded.forests();
      sets.push_back({.name = names[d], .data = std::move(loaded.data)});
    }
    return study_curves(forests, sets, params_, context);
  }

  std::vector<std::string> models_;
  std::vector<std::string> data_;
  std::vector<std::string> learning_curves_;
  StudyFiles files_;
  CurveParams params_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_curves_command() { return std::make_unique<StudyCurves>(); }

}  // namespace glassrank::cli
