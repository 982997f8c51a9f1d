// glassrank study explainers: which of them recover the truth, where it is known.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/base/error.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/explain/audit/audit_method.h"
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
        "shop/train.txt --out explainers",
        "glassrank study explainers --model model.txt --data shop/test.txt --background "
        "shop/train.txt --methods tree-shap,other=tree-shap --set other.game=interventional --out "
        "games"};
  }

  std::string selector() const override { return "methods"; }
  std::vector<std::string> selections() const override { return names_in(explainer_table()); }
  void select(const std::string& value) override {
    method_texts_ = split_list(value);
    methods_.choose(method_texts_);
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("model", models_, "model trained on the book shop; one per shop",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("data", data_, "queries of the book shop to explain; one file per model",
                  {.required = true, .file = FileUse::kInput});
    visitor.field(
        "background", background_,
        "book shop data that shows which values are usual, one file per model; empty uses "
        "the data of `data`",
        {.file = FileUse::kInput});
    if (visitor.field("methods", method_texts_,
                      "explainers to compare, each by name or as LABEL=NAME; options of each are "
                      "--LABEL.OPTION; empty compares all, as they are",
                      {.value_name = "NAMES"})) {
      methods_.choose(method_texts_);
    }
    files_.visit(visitor);
    params_.visit(visitor);
    methods_.visit_explainers(visitor);
    visitor.group("read", read_);
  }

  std::vector<NamedFile> files_beside() const override { return files_.written(); }
  std::vector<ParamUse> uses() const override { return methods_.uses(); }
  std::string results() const override { return results_markdown<WrittenStudy<TruthStudy>>(); }
  void run(const Context& context, Output& output) override {
    files_.check();
    check_lists();
    if (method_texts_.empty()) methods_.choose(names_in(explainer_table()));
    std::vector<NamedExplainer> explainers;
    for (AuditMethod& method : methods_.get()) {
      explainers.push_back({method.label, method.explainer.get()});
    }
    const std::vector<Shop> loaded = load_shops(context);
    std::vector<TruthShop> shops;
    for (const Shop& shop : loaded) shops.push_back({*shop.subject, shop.data});
    files_.write(study_truth(shops, explainers, params_, context), output);
  }

 private:
  // At a place that does not change: the subject borrows from it.
  struct Shop {
    std::unique_ptr<const Model> model;
    std::unique_ptr<const Scorer> scorer;
    Dataset data;
    std::unique_ptr<const Dataset> background;
    std::unique_ptr<const Subject> subject;
  };

  void check_lists() const {
    const auto check = [&](std::string_view option, std::size_t count) {
      if (count == models_.size()) return;
      fail(ErrorKind::kUsage, "{} models and {} files of --{}: each shop has one of both",
           models_.size(), count, option);
    };
    check("data", data_.size());
    if (!background_.empty()) check("background", background_.size());
  }

  std::vector<Shop> load_shops(const Context& context) const {
    std::vector<Shop> shops;
    for (std::size_t s = 0; s < models_.size(); ++s) {
      Shop& shop = shops.emplace_back();
      shop.model = std::make_unique<const Model>(load_model(models_[s], context));
      shop.scorer = make_scorer(*shop.model);
      shop.data = load_rows_for(*shop.model, data_[s], read_, context);
      shop.background = std::make_unique<const Dataset>(
          background_.empty() ? shop.data
                              : load_rows_for(*shop.model, background_[s], read_, context));
      shop.subject = std::unique_ptr<const Subject>(
          new Subject{*shop.scorer, shop.model.get(), *shop.background});
    }
    return shops;
  }

  std::vector<std::string> models_;
  std::vector<std::string> data_;
  std::vector<std::string> background_;
  std::vector<std::string> method_texts_;
  AuditMethods methods_;
  StudyFiles files_;
  TruthParams params_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_explainers_command() {
  return std::make_unique<StudyExplainers>();
}

}  // namespace glassrank::cli
