// glassrank predict: a model's scores of every document of a data file.

#include <fmt/format.h>

#include "cli/registry.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/evaluation/model_results.h"
#include "glassrank/evaluation/score_text.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/scorer.h"

namespace glassrank::cli {
namespace {

class PredictCommand final : public Command {
 public:
  std::string name() const override { return "predict"; }
  std::string summary() const override { return "Scores of every document of a data file"; }
  std::vector<std::string> examples() const override {
    return {"glassrank predict --model model.txt --data test.txt --out scores.txt",
            "glassrank predict --model model.json --data test.txt --format trec --out run.txt"};
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("model", model_, "model in any format that can be read",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("data", data_, "documents to score", {.required = true, .file = FileUse::kInput});
    visitor.field("out", out_, "where the scores go; empty is standard output",
                  {.file = FileUse::kOutput});
    visitor.field("format", format_,
                  "plain: a score a line; trec: a run, best first; jsonl: an object a line");
    model_read_.visit(visitor);
    read_.visit_matching(visitor);
    // Apart, for both have a format.
    visitor.group("read", read_);
  }

  std::string results() const override { return results_markdown<Prediction>(); }
  void run(const Context& context, Output& output) override {
    const Model model = load_model(model_, context, model_read_);
    const Dataset data = load_rows_for(model, data_, read_, context);
    const std::vector<double> scores = score_all(*make_scorer(model), data, context);
    Prediction result{
        .num_rows = data.num_rows(), .num_queries = data.num_queries(), .out = {}, .scores = {}};
    if (out_.empty() && output.json) {
      result.scores = data.to_file_order(scores);
      output.out << json_text(result);
      return;
    }
    const std::string text = scores_text(data, scores, format_);
    if (out_.empty()) {
      output.out << text;
      return;
    }
    write_text_file(out_, text);
    if (output.json) {
      result.out = out_;
      output.out << json_text(result);
    } else {
      output.out << fmt::format("{} documents of {} queries scored: {}\n", data.num_rows(),
                                data.num_queries(), out_);
    }
  }

 private:
  std::string model_;
  std::string data_;
  std::string out_;
  ScoreFormat format_ = ScoreFormat::kPlain;
  ModelReadParams model_read_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_predict_command() { return std::make_unique<PredictCommand>(); }

}  // namespace glassrank::cli
