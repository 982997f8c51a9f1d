#include "glassrank/evaluation/model_results.h"

namespace glassrank {

void ModelScores::visit(ResultVisitor& visitor) const {
  visitor.field("model", model, "its name");
  visitor.field("scores", scores, "one a document, in the order of the data file");
}

void Prediction::visit(ResultVisitor& visitor) const {
  visitor.field("num_rows", num_rows, "documents scored");
  visitor.field("num_queries", num_queries, "their queries");
  visitor.field("out", out, "file of the scores");
  visitor.field("scores", scores, "without --out: one a document, in the order of the data file");
  visitor.list("models", models, "the same of several models; empty: there is one");
}

void ScoreParity::visit(ResultVisitor& visitor) const {
  visitor.field("num_rows", num_rows, "documents scored by both models");
  visitor.field("num_different", num_different, "documents with different scores");
  visitor.field("tolerance", tolerance, "largest difference allowed, times the score if above 1");
  visitor.field("num_beyond", num_beyond, "documents with a difference beyond it");
  visitor.field("largest_difference", largest, "of two scores of a document");
  const bool is_there = num_different > 0;
  const auto if_there = [&](auto value) {
    return is_there ? std::optional(std::move(value)) : std::nullopt;
  };
  visitor.field("row", if_there(row + 1), "where it is, from 1");
  visitor.field("query", if_there(query), "its query");
  visitor.field("document", if_there(document), "its name");
  visitor.field("before", if_there(before), "its score by the model converted");
  visitor.field("after", if_there(after), "by the model written");
}

void Conversion::visit(ResultVisitor& visitor) const {
  visitor.field("out", out, "the model written");
  visitor.field("to", to, "its format");
  visitor.field("parts", parts, "what it is made of: trees or effects");
  visitor.field("num_parts", num_parts, "how many of these");
  visitor.object("check", check, "scores before and after, with --check");
  visitor.object("in_float32", in_float32,
                 "the same with the scores after summed in float32, as the program of the format "
                 "does; only of forests and where it does");
}

void EditStep::visit(ResultVisitor& visitor) const {
  visitor.field("edit", edit, "as --edit takes it");
  visitor.field("mean", mean, "of the metric after it");
  visitor.field("change", change, "from the step before");
  visitor.field("p", p, "of Fisher's test against the step before, two-sided");
}

void EditReport::visit(ResultVisitor& visitor) const {
  visitor.field("out", out, "the model written");
  visitor.field("to", to, "its format");
  visitor.field("metric", metric, "what is measured, with --data");
  visitor.field("mean", mean, "of the metric before the first edit");
  visitor.list("edits", edits, "in order");
}

}  // namespace glassrank
