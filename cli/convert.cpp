// glassrank convert: a model in another program's format, with a proof that it scores the same.

#include <fmt/format.h>

#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/evaluation/convert_model.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

class ConvertCommand final : public Command {
 public:
  std::string name() const override { return "convert"; }
  std::string summary() const override { return "Write a model in another format"; }
  std::vector<std::string> examples() const override {
    return {"glassrank convert --model lightgbm.txt --to xgboost --out model.json",
            "glassrank convert --model model.ubj --to ranklib --out model.xml --check test.txt",
            "glassrank convert --model ilmart.txt --to gam-json --out tables.json"};
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("model", task_.model, "model in any format that can be read",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("to", task_.to,
                  fmt::format("format to write: {}", fmt::join(written_formats(), ", ")),
                  {.required = true, .value_name = "FORMAT"});
    visitor.field("out", task_.out, "file to write the converted model to",
                  {.required = true, .file = FileUse::kOutput});
    visitor.field("check", task_.check,
                  "data to score with both models; the command fails if a score differs by more "
                  "than the tolerance",
                  {.file = FileUse::kInput});
    visitor.field("tolerance", task_.tolerance,
                  "largest difference of two scores that --check accepts; for scores above 1 "
                  "relative to the score",
                  kNotNegative);
    visitor.field(
        "for_text", task_.for_text,
        "number columns as LightGBM and XGBoost do when they read LETOR text: from 0 instead of 1");
    task_.model_read.visit(visitor);
    task_.read.visit_matching(visitor);
    task_.read.visit(visitor);
  }

  std::vector<ParamUse> uses() const override {
    std::vector<std::string> of_check = param_names(task_.read);
    std::erase(of_check, "num_features");  // of the model written, too
    std::vector<ParamUse> uses;
    add_uses(uses, of_check, "check");
    add_uses(uses, {"tolerance", "match", "first_feature"}, "check");
    return uses;
  }
  std::string results() const override { return results_markdown<Conversion>(); }
  void run(const Context& context, Output& output) override {
    const Conversion result = convert_model(task_, context);
    output.out << (output.json ? json_text(result) : conversion_text(result));
    for (const auto& check : {result.check, result.in_float32}) {
      if (!check || check->num_beyond == 0) continue;
      output.out.flush();
      fail(ErrorKind::kInput,
           "{} does not score as {} does: {} of {} scores are beyond the tolerance", task_.out,
           task_.model, check->num_beyond, check->num_rows);
    }
  }

 private:
  ConvertTask task_;
};

}  // namespace

std::unique_ptr<Command> make_convert_command() { return std::make_unique<ConvertCommand>(); }

}  // namespace glassrank::cli
