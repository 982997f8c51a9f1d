#include "glassrank/evaluation/score_text.h"

#include <array>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/result.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/data/io/trec.h"

namespace glassrank {
namespace {

std::string plain_text(std::span<const double> scores) {
  std::string text;
  for (const double score : scores) text += fmt::format("{}\n", score);
  return text;
}

std::string trec_text(const Dataset& data, std::span<const double> scores) {
  StringColumnBuilder documents;
  for (std::size_t r = 0; r < data.num_rows(); ++r) documents.add(data.document_name(r));
  return run_text({.queries = data.queries(),
                   .documents = documents.finish(),
                   .scores = {scores.begin(), scores.end()},
                   .tag = "glassrank"});
}

struct ScoreLine {
  std::string query;
  std::string document;
  double score = 0;

  void visit(ResultVisitor& visitor) const {
    visitor.field("query", query, "its id");
    visitor.field("document", document, "its id or number");
    visitor.field("score", score, "by the model");
  }
};

std::string jsonl_text(const Dataset& data, std::span<const double> scores) {
  std::string text;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      text += json_line(ScoreLine{data.queries().id(q), data.document_name(r), scores[r]});
    }
  }
  return text;
}

struct ModelsLine {
  std::string query;
  std::string document;
  NamedValues scores;

  void visit(ResultVisitor& visitor) const {
    visitor.field("query", query, "its id");
    visitor.field("document", document, "its id or number");
    visitor.field("scores", scores, "of every model");
  }
};

std::string jsonl_of_models(const Dataset& data, std::span<const NamedScores> models) {
  std::string text;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      NamedValues scores;
      for (const NamedScores& model : models) scores.emplace_back(model.name, model.scores[r]);
      text += json_line(ModelsLine{data.queries().id(q), data.document_name(r), scores});
    }
  }
  return text;
}

std::string columns_of_models(const Dataset& data, std::span<const NamedScores> models) {
  std::string text;
  std::vector<std::vector<double>> columns;
  for (const NamedScores& model : models) {
    text += (columns.empty() ? "" : "\t") + table_cell(model.name);
    columns.push_back(data.to_file_order(model.scores));
  }
  text += '\n';
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    for (std::size_t m = 0; m < columns.size(); ++m) {
      text += fmt::format("{}{}", m == 0 ? "" : "\t", columns[m][r]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::span<const std::pair<std::string_view, ScoreFormat>> EnumNames<ScoreFormat>::table() {
  static constexpr std::array<std::pair<std::string_view, ScoreFormat>, 3> kNames = {
      {{"plain", ScoreFormat::kPlain},
       {"trec", ScoreFormat::kTrec},
       {"jsonl", ScoreFormat::kJsonl}}};
  return kNames;
}

std::string scores_text(const Dataset& data, std::span<const double> scores, ScoreFormat format) {
  switch (format) {
    case ScoreFormat::kTrec:
      return trec_text(data, scores);
    case ScoreFormat::kJsonl:
      return jsonl_text(data, scores);
    case ScoreFormat::kPlain:
      break;
  }
  return plain_text(data.to_file_order(scores));
}

std::string scores_text_of_models(const Dataset& data, std::span<const NamedScores> models,
                                  ScoreFormat format) {
  if (format == ScoreFormat::kTrec) {
    fail(ErrorKind::kUsage, "a run is of one model, here are {}: predict them one by one",
         models.size());
  }
  return format == ScoreFormat::kJsonl ? jsonl_of_models(data, models)
                                       : columns_of_models(data, models);
}

}  // namespace glassrank
