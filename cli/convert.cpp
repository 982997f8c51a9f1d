// glassrank convert: a model in another program's format, with a proof that it scores the same.

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/same_file.h"
#include "glassrank/base/error.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/evaluation/model_results.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/scorer.h"

namespace glassrank::cli {
namespace {

std::string parity_text(const ScoreParity& parity) {
  if (parity.num_different == 0) {
    return fmt::format("check: all {} scores are identical\n", parity.num_rows);
  }
  return fmt::format(
      "check: {} of {} scores differ\n"
      "  largest difference  {:.3g}\n"
      "  at                  query {}, document {} (row {})\n"
      "  score before        {}\n"
      "  score after         {}\n",
      parity.num_different, parity.num_rows, parity.largest, parity.query, parity.document,
      parity.row + 1, parity.before, parity.after);
}

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
    visitor.field("model", model_, "model in any format that can be read",
                  {.required = true, .value_name = "FILE"});
    visitor.field("to", to_, fmt::format("format to write: {}", fmt::join(written_formats(), ", ")),
                  {.required = true, .value_name = "FORMAT"});
    visitor.field("out", out_, "where the converted model goes",
                  {.required = true, .value_name = "FILE"});
    visitor.field("check", check_,
                  "data to score with both models; the largest difference is reported",
                  {.value_name = "FILE"});
    read_.visit(visitor);
  }

  std::string results() const override { return results_markdown<Conversion>(); }
  void run(const Context& context, Output& output) override {
    const ModelFormat& format = model_format(to_);  // before anything is read
    if (!check_.empty() && format.read == nullptr) {
      fail(ErrorKind::kUsage, "--check reads the written file back, and '{}' is only written", to_);
    }
    refuse_same_file(model_, out_, "--out", "the model");
    if (!check_.empty()) refuse_same_file(check_, out_, "--out");
    const Model model = load_model(model_, context);
    const Model written = converted(model, format);
    save_model(out_, written, to_, context);
    Conversion result{.out = out_,
                      .to = to_,
                      .parts = std::string(parts_of(written)),
                      .num_parts = num_parts_of(written),
                      .check = {}};
    if (!check_.empty()) {
      const Dataset data = load_rows_for(model, check_, read_, context);
      result.check = compare_scores(*make_scorer(model), *make_scorer(load_model(out_, context)),
                                    data, context);
    }
    if (output.json) {
      output.out << json_text(result);
      return;
    }
    output.out << fmt::format("{} {} written to {} as {}\n{}", result.num_parts, result.parts, out_,
                              to_, result.check ? parity_text(*result.check) : "");
  }

 private:
  Model converted(const Model& model, const ModelFormat& format) const {
    try {
      return model_for(format, model);
    } catch (Error& error) {
      error.add_context(model_);
      throw;
    }
  }

  std::string model_;
  std::string to_;
  std::string out_;
  std::string check_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_convert_command() { return std::make_unique<ConvertCommand>(); }

}  // namespace glassrank::cli
