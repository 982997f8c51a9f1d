// glassrank predict: a model's scores of every document of a data file.

#include <fmt/format.h>

#include "cli/registry.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/file_names.h"
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
            "glassrank predict --model a.txt --model b.txt --data test.txt --out scores.tsv",
            "glassrank predict --model model.json --data test.txt --format trec --out run.txt"};
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("model", models_, "model in any format that can be read; repeated: several",
                  {.required = true, .file = FileUse::kInput, .one_value = true});
    visitor.field("data", data_, "documents to score", {.required = true, .file = FileUse::kInput});
    visitor.field("out", out_, "file to write the scores to; empty is standard output",
                  {.file = FileUse::kOutput});
    visitor.field(
        "format", format_,
        "plain: a score a line, of several models a column each; trec: a run, best first; "
        "jsonl: an object a line");
    model_read_.visit(visitor);
    read_.visit_matching(visitor);
    // Apart, for both have a format.
    visitor.group("read", read_);
  }

  std::string results() const override { return results_markdown<Prediction>(); }
  void run(const Context& context, Output& output) override {
    if (models_.size() > 1 && format_ == ScoreFormat::kTrec) {
      fail(ErrorKind::kUsage, "a run is of one model, here are {}: predict them one by one",
           models_.size());
    }
    const std::vector<Model> models = load_models(models_, context, model_read_);
    read_.may_lack_grades = true;
    const Dataset data = load_dataset(data_, read_params_for(models, read_), context);
    std::vector<NamedScores> scored;
    for (std::size_t m = 0; m < models.size(); ++m) {
      const Dataset rows = rows_for(models[m], data, data_, read_, context);
      scored.push_back({.name = names_of_files(models_)[m],
                        .scores = score_all(*make_scorer(models[m]), rows, context)});
    }
    report(data, scored, output);
  }

 private:
  void report(const Dataset& data, std::span<const NamedScores> scored, Output& output) const {
    Prediction result{.num_rows = data.num_rows(),
                      .num_queries = data.num_queries(),
                      .out = {},
                      .scores = {},
                      .models = {}};
    if (out_.empty() && output.json) {
      if (scored.size() == 1) result.scores = data.to_file_order(scored.front().scores);
      for (const NamedScores& each : scored.subspan(scored.size() == 1 ? 1 : 0)) {
        result.models.push_back({.model = each.name, .scores = data.to_file_order(each.scores)});
      }
      output.out << json_text(result);
      return;
    }
    const std::string text = scored.size() == 1 ? scores_text(data, scored.front().scores, format_)
                                                : scores_text_of_models(data, scored, format_);
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

  std::vector<std::string> models_;
  std::string data_;
  std::string out_;
  ScoreFormat format_ = ScoreFormat::kPlain;
  ModelReadParams model_read_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_predict_command() { return std::make_unique<PredictCommand>(); }

}  // namespace glassrank::cli
