// glassrank study breakdown: models on queries with and without outliers.

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/base/error.h"
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
                  {.required = true, .value_name = "FILE", .one_value = true});
    visitor.field("base", base_, "model that decides on outliers; the first one if none is named",
                  {.value_name = "FILE"});
    visitor.field("data", data_, "data file", {.required = true, .value_name = "FILE"});
    files_.visit(visitor);
    params_.visit(visitor);
    visitor.group("read", read_);
  }

  std::string results() const override { return results_markdown<WrittenStudy<Breakdown>>(); }
  void run(const Context& context, Output& output) override {
    std::vector<std::string> inputs = models_;
    inputs.push_back(data_);
    if (!base_.empty()) inputs.push_back(base_);
    files_.check(inputs);
    if (models_.size() < 2)
      fail(ErrorKind::kUsage, "give --model twice or more: one to compare with");
    params_.check();
    const StudyInputs loaded = load_study_inputs(models_, data_, read_, context);
    const Forest base = base_forest(loaded, context);
    files_.write(study_breakdown(loaded.forests(), base, loaded.data, params_, context), output);
  }

 private:
  Forest base_forest(const StudyInputs& loaded, const Context& context) const {
    if (base_.empty()) return loaded.forest(0);
    Forest base = study_forest(load_model(base_, context), base_);
    if (base.num_features() > loaded.data.num_features()) {
      fail(ErrorKind::kInput, "{} has {} features, {} only {}", base_, base.num_features(), data_,
           loaded.data.num_features());
    }
    return base;
  }

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
