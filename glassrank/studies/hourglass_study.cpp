#include "glassrank/studies/hourglass_study.h"

#include <algorithm>

#include <fmt/format.h>

namespace glassrank {
namespace {

constexpr std::size_t kShownRounds = 11;

// Most often an outlier first; of equally often, the last row first.
std::vector<const OutlierHistory*> sorted_of(const OutlierTrace& trace, DocumentType type) {
  std::vector<const OutlierHistory*> histories;
  for (const OutlierHistory& document : trace.documents) {
    if (type == DocumentType::kAll || (type == DocumentType::kNeg) == document.is_negative) {
      histories.push_back(&document);
    }
  }
  std::ranges::stable_sort(histories, {}, &OutlierHistory::num_rounds);
  std::ranges::reverse(histories);
  return histories;
}

}  // namespace

double HourglassDocument::share() const {
  return static_cast<double>(history.num_rounds) / static_cast<double>(num_trees);
}

std::string HourglassDocument::outlier_after() const {
  std::string text;
  for (std::size_t t = 1; t <= num_trees;) {
    if (!history.after(t)) {
      ++t;
      continue;
    }
    std::size_t end = t;
    while (end < num_trees && history.after(end + 1)) ++end;
    text += text.empty() ? "" : ",";
    text += end == t ? fmt::format("{}", t) : fmt::format("{}-{}", t, end);
    t = end + 1;
  }
  return text;
}

void HourglassDocument::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "its query");
  visitor.field("document", document, "its name");
  visitor.field("grade", grade, "its grade");
  visitor.field("type", history.is_negative ? "neg" : "pos", "neg: not relevant; pos: relevant");
  visitor.field("num_trees", history.num_rounds, "after how many trees it is an outlier");
  visitor.field("share", num_trees == 0 ? 0 : share(), "the same as a share");
  visitor.field("last_right", history.last_right, "last tree after which it is none; 0: always is");
  visitor.field("outlier_after", outlier_after(), "trees after which it is one: 1-3,7");
}

void Hourglass::visit(ResultVisitor& visitor) const {
  visitor.field("num_rows", num_rows, "rows of the data");
  visitor.field("num_trees", num_trees, "trees of the model");
  visitor.field("num_ever", documents.size(), "documents that are outliers after some tree");
  visitor.field("num_always", num_always, "after every tree");
  visitor.field("num_negative", num_negative, "negative outliers after each tree");
  visitor.field("num_positive", num_positive, "positive ones");
  visitor.list("documents", documents, "ever outliers, the most often wrong first");
}

Hourglass study_hourglass(const OutlierTrace& trace, const Dataset& data, DocumentType type) {
  const std::vector<std::uint32_t> query_of = data.queries().query_of_rows();
  Hourglass study{.num_rows = data.num_rows(), .num_trees = trace.num_rounds};
  study.num_negative.resize(trace.num_rounds);
  study.num_positive.resize(trace.num_rounds);
  for (const OutlierHistory* history : sorted_of(trace, type)) {
    study.documents.push_back({.query = data.queries().id(query_of[history->row]),
                               .document = data.document_name(history->row),
                               .grade = data.grades()[history->row],
                               .history = *history,
                               .num_trees = trace.num_rounds});
    if (history->num_rounds == trace.num_rounds) ++study.num_always;
    auto& counts = history->is_negative ? study.num_negative : study.num_positive;
    for (std::size_t t = 1; t <= trace.num_rounds; ++t) counts[t - 1] += history->after(t) ? 1 : 0;
  }
  return study;
}

StudyTables study_tables(const Hourglass& study) {
  StudyTables tables{
      .data = Table({{.name = "query"},
                     {.name = "document"},
                     {.name = "grade"},
                     {.name = "type"},
                     {.name = "trees"},
                     {.name = "share"},
                     {.name = "last_right"},
                     {.name = "outlier_after"}}),
      .shown = Table({{.name = "trees"}, {.name = "neg"}, {.name = "pos"}, {.name = "all"}}),
      .notes = {fmt::format("{} of {} documents are outliers after some tree, {} after every one",
                            study.documents.size(), study.num_rows, study.num_always)}};
  for (const HourglassDocument& each : study.documents) {
    tables.data.add({cell(each.query), cell(each.document), cell(each.grade),
                     cell(each.history.is_negative ? "neg" : "pos"), cell(each.history.num_rounds),
                     cell(each.share()), cell(each.history.last_right),
                     cell(each.outlier_after())});
  }
  for (const std::size_t trees : even_rounds(study.num_trees, kShownRounds)) {
    const std::size_t negative = study.num_negative[trees - 1];
    const std::size_t positive = study.num_positive[trees - 1];
    tables.shown.add({cell(trees), cell(negative), cell(positive), cell(negative + positive)});
  }
  return tables;
}

}  // namespace glassrank
