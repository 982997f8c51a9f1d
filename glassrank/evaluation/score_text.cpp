#include "glassrank/evaluation/score_text.h"

#include <array>

#include <fmt/format.h>

#include "glassrank/base/result.h"
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

}  // namespace glassrank
