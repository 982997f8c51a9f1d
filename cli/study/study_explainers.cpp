// glassrank study explainers: which of them recover the truth, where it is known.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/base/error.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/explain/registry.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/study_plots/explainer_plot.h"

namespace glassrank::cli {
namespace {

class StudyExplainers final : public Command {
 public:
  std::string name() const override { return "study explainers"; }
  std::string summary() const override {
    return "Compare explainers with the true effects in the book shop, which are known";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank study explainers --model model.txt --data shop/test.txt --background "
        "shop/train.txt --out explainers"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("model", model_, "model trained on the book shop",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("data", data_, "queries of the book shop to explain",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("background", background_,
                  "book shop data that says what is usual; empty: the same data",
                  {.file = FileUse::kInput});
    visitor.field("methods", methods_, "explainers to compare; empty: all",
                  {.value_name = "EXPLAINER"});
    files_.visit(visitor);
    params_.visit(visitor);
    visitor.group("read", read_);
  }

  std::vector<NamedFile> files_beside() const override { return files_.written(); }
  std::string results() const override { return results_markdown<WrittenStudy<TruthStudy>>(); }
  void run(const Context& context, Output& output) override {
    files_.check();
    std::vector<std::unique_ptr<Explainer>> explainers = make_explainers();
    std::vector<Explainer*> borrowed;
    for (const auto& explainer : explainers) borrowed.push_back(explainer.get());
    const Model model = load_model(model_, context);
    const Dataset data = load_rows_for(model, data_, read_, context);
    const Dataset background =
        background_.empty() ? data : load_rows_for(model, background_, read_, context);
    const auto scorer = make_scorer(model);
    files_.write(study_truth({*scorer, &model, background}, data, borrowed, params_, context),
                 output);
  }

 private:
  std::vector<std::unique_ptr<Explainer>> make_explainers() const {
    std::vector<std::unique_ptr<Explainer>> explainers;
    for (const std::string& method : methods_) explainers.push_back(make_explainer(method));
    if (!methods_.empty()) return explainers;
    for (const ExplainerInfo& info : explainer_table()) explainers.push_back(info.make());
    return explainers;
  }

  std::string model_;
  std::string data_;
  std::string background_;
  std::vector<std::string> methods_;
  StudyFiles files_;
  TruthParams params_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_explainers_command() {
  return std::make_unique<StudyExplainers>();
}

}  // namespace glassrank::cli
