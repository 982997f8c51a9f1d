// glassrank study outliers, glassrank study hourglass: what a model takes for outliers, tree by
// tree.

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/report/study_plots/hourglass_plot.h"
#include "glassrank/report/study_plots/outlier_plot.h"
#include "glassrank/studies/outlier_options.h"

namespace glassrank::cli {
namespace {

// What both take.
struct OutlierInputs {
  std::string model;
  std::string data;
  StudyFiles files;
  OutlierOptions outliers;
  ReadParams read;

  void visit(ParamVisitor& visitor) {
    visitor.field("model", model, "base model, trained on this data and kept up to its last tree",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("data", data, "data file", {.required = true, .file = FileUse::kInput});
    files.visit(visitor);
    outliers.visit(visitor);
  }

  StudyInputs load(const Context& context) const {
    files.check();
    return load_study_inputs({model}, data, read, context);
  }
  OutlierTrace trace(const StudyInputs& loaded, const Context& context) const {
    return trace_outliers(loaded.forest(0), loaded.data, outliers.resolve(), context);
  }
};

class StudyOutliers final : public Command {
 public:
  std::string name() const override { return "study outliers"; }
  std::string summary() const override {
    return "How many documents SOUR would drop, by window and type";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank study outliers --model base.txt --data train.txt --out outliers"};
  }
  void visit(ParamVisitor& visitor) override {
    inputs_.visit(visitor);
    visitor.field("steps", steps_, "number of starts and ends of windows to try", Range{.low = 2});
    inputs_.read.visit_matching(visitor);
    visitor.group("read", inputs_.read);
  }
  std::vector<NamedFile> files_beside() const override { return inputs_.files.written(); }
  std::string results() const override { return results_markdown<WrittenStudy<OutlierStudy>>(); }
  void run(const Context& context, Output& output) override {
    const StudyInputs loaded = inputs_.load(context);
    inputs_.files.write(study_outliers(inputs_.trace(loaded, context), loaded.data.num_rows(),
                                       static_cast<std::size_t>(steps_)),
                        output);
  }

 private:
  OutlierInputs inputs_;
  int steps_ = 11;
};

class StudyHourglass final : public Command {
 public:
  std::string name() const override { return "study hourglass"; }
  std::string summary() const override { return "Which documents are outliers after which tree"; }
  std::vector<std::string> examples() const override {
    return {"glassrank study hourglass --model base.txt --data train.txt --type neg --out map"};
  }
  void visit(ParamVisitor& visitor) override {
    inputs_.visit(visitor);
    visitor.field("type", type_, "documents to show");
    inputs_.read.visit_matching(visitor);
    visitor.group("read", inputs_.read);
  }
  std::vector<NamedFile> files_beside() const override { return inputs_.files.written(); }
  std::string results() const override { return results_markdown<WrittenStudy<Hourglass>>(); }
  void run(const Context& context, Output& output) override {
    const StudyInputs loaded = inputs_.load(context);
    inputs_.files.write(study_hourglass(inputs_.trace(loaded, context), loaded.data, type_),
                        output);
  }

 private:
  OutlierInputs inputs_;
  DocumentType type_ = DocumentType::kAll;
};

}  // namespace

std::unique_ptr<Command> make_study_outliers_command() { return std::make_unique<StudyOutliers>(); }
std::unique_ptr<Command> make_study_hourglass_command() {
  return std::make_unique<StudyHourglass>();
}

}  // namespace glassrank::cli
