// glassrank predict: a model's scores of every document of a data file.

#include <array>

#include <fmt/format.h>

#include "cli/registry.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/json.h"
#include "glassrank/data/io/trec.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/evaluation/model_results.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/scorer.h"

namespace glassrank::cli {
enum class ScoreFormat { kPlain, kTrec, kJsonl };
}  // namespace glassrank::cli

namespace glassrank {
template <>
struct EnumNames<cli::ScoreFormat> {
  static std::span<const std::pair<std::string_view, cli::ScoreFormat>> table() {
    static constexpr std::array<std::pair<std::string_view, cli::ScoreFormat>, 3> kNames = {
        {{"plain", cli::ScoreFormat::kPlain},
         {"trec", cli::ScoreFormat::kTrec},
         {"jsonl", cli::ScoreFormat::kJsonl}}};
    return kNames;
  }
};
}  // namespace glassrank

namespace glassrank::cli {
namespace {

// One score a line, in the order of the file.
std::string plain_text(std::span<const double> scores) {
  std::string text;
  for (const double score : scores) text += fmt::format("{}\n", score);
  return text;
}

// Documents by number where the data has no ids for them.
std::string trec_text(const Dataset& data, std::span<const double> scores) {
  StringColumnBuilder documents;
  for (std::size_t r = 0; r < data.num_rows(); ++r) documents.add(data.document_name(r));
  return run_text({.queries = data.queries(),
                   .documents = documents.finish(),
                   .scores = {scores.begin(), scores.end()},
                   .tag = "glassrank"});
}

// One object a line, in the order of the data.
std::string jsonl_text(const Dataset& data, std::span<const double> scores) {
  std::string text;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      const Json line = {{"query", data.queries().id(q)},
                         {"document", data.document_name(r)},
                         {"score", scores[r]}};
      text += line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
    }
  }
  return text;
}

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
    const std::string text = scores_text(data, scores);
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
  std::string scores_text(const Dataset& data, std::span<const double> scores) const {
    switch (format_) {
      case ScoreFormat::kTrec:
        return trec_text(data, scores);
      case ScoreFormat::kJsonl:
        return jsonl_text(data, scores);
      case ScoreFormat::kPlain:
        break;
    }
    return plain_text(data.to_file_order(scores));
  }

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
