// glassrank convert: a model in another program's format, with a proof that it scores the same.

#include <fmt/format.h>

#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/evaluation/model_results.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/model_kinds.h"
#include "glassrank/models/scorer.h"

namespace glassrank::cli {
namespace {

std::string parity_text(const ScoreParity& parity) {
  if (parity.num_different == 0) {
    return fmt::format("check: all {} scores are identical\n", parity.num_rows);
  }
  return fmt::format(
      "check: {} of {} scores differ, {} of them by more than the tolerance {:g}\n"
      "  largest difference  {:.3g}\n"
      "  at                  query {}, document {} (row {})\n"
      "  score before        {}\n"
      "  score after         {}\n",
      parity.num_different, parity.num_rows, parity.num_beyond, parity.tolerance, parity.largest,
      parity.query, parity.document, parity.row + 1, parity.before, parity.after);
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
                  {.required = true, .file = FileUse::kInput});
    visitor.field("to", to_, fmt::format("format to write: {}", fmt::join(written_formats(), ", ")),
                  {.required = true, .value_name = "FORMAT"});
    visitor.field("out", out_, "where the converted model goes",
                  {.required = true, .file = FileUse::kOutput});
    visitor.field("check", check_,
                  "data to score with both models; fails where scores differ by more than the "
                  "tolerance",
                  {.file = FileUse::kInput});
    visitor.field("tolerance", tolerance_,
                  "of the check: largest difference of two scores; of scores above 1 it is a share",
                  kNotNegative);
    visitor.field("for_text", for_text_,
                  "columns as LightGBM and XGBoost count them in LETOR text that they read "
                  "themselves: from 0, where everybody else counts from 1");
    model_read_.visit(visitor);
    read_.visit_matching(visitor);
    read_.visit(visitor);
  }

  std::string results() const override { return results_markdown<Conversion>(); }
  void run(const Context& context, Output& output) override {
    const ModelFormat& format = model_format(to_);  // before anything is read
    if (!check_.empty() && format.read == nullptr) {
      fail(ErrorKind::kUsage, "--check reads the written file back, and '{}' is only written", to_);
    }
    const LoadedModel loaded = load_model_and_format(model_, context, model_read_);
    const Model& model = loaded.model;
    const Model written = converted(numbered(loaded, context), format);
    save_model(out_, written, to_, context);
    Conversion result{.out = out_,
                      .to = to_,
                      .parts = std::string(parts_of(written)),
                      .num_parts = num_parts_of(written),
                      .check = {}};
    if (!check_.empty()) result.check = checked(model, context);
    if (output.json) {
      output.out << json_text(result);
    } else {
      output.out << fmt::format("{} {} written to {} as {}\n{}", result.num_parts, result.parts,
                                out_, to_, result.check ? parity_text(*result.check) : "");
    }
    if (!result.check || result.check->num_beyond == 0) return;
    output.out.flush();
    fail(ErrorKind::kInput,
         "{} does not score as {} does: {} of {} scores are beyond the tolerance", out_, model_,
         result.check->num_beyond, result.check->num_rows);
  }

 private:
  static bool counts_from_zero(std::string_view format) {
    return format.starts_with("lightgbm") || format.starts_with("xgboost");
  }

  // The model with its columns as the readers of the format count them in text.
  Model numbered(const LoadedModel& loaded, const Context& context) const {
    const bool before = counts_from_zero(loaded.format.name);
    const bool after = counts_from_zero(to_);
    if (before == after) return loaded.model;
    if (!for_text_) {
      if (before && features_of(loaded.model).first == FirstColumn::kEmpty) {
        context.warn(fmt::format(
            "{}: column 0 was empty in training; if the model was trained from LETOR text, its "
            "column 1 is feature 1 there: --for-text writes it so",
            model_));
      }
      return loaded.model;
    }
    return before ? without_first(loaded.model) : for_their_text(loaded.model, to_);
  }

  ScoreParity checked(const Model& model, const Context& context) const {
    const Dataset data = load_dataset(check_, read_, context);
    const Model again = load_model(out_, context);
    Context silent = context;  // one notice is enough
    silent.log_sink = nullptr;
    const Dataset rows = rows_for(model, data, check_, read_, context);
    // A model that looks at its columns by place keeps them where they are.
    const bool is_shifted = num_features_of(again) != num_features_of(model) && for_text_;
    const Dataset rows_again = is_shifted ? rows_for(again, data, check_, read_, silent) : rows;
    const auto before = make_scorer(model);
    const auto after = make_scorer(again);
    return compare_scores({*before, rows}, {*after, rows_again}, tolerance_, context);
  }

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
  double tolerance_ = 1e-5;
  bool for_text_ = false;
  ModelReadParams model_read_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_convert_command() { return std::make_unique<ConvertCommand>(); }

}  // namespace glassrank::cli
