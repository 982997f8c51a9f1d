#include "glassrank/studies/rank_study.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace glassrank {
namespace {

// The way of one document under one model, as results name it: ranks from 1.
struct DocumentRanks {
  std::vector<std::uint32_t> ranks;
  void visit(ResultVisitor& visitor) const {
    visitor.field("ranks", ranks, "rank from 1 after each tree");
  }
};

Table data_table(const RankStudy& study) {
  Table table({{.name = "model"},
               {.name = "document"},
               {.name = "grade"},
               {.name = "always_low"},
               {.name = "trees"},
               {.name = "rank"}});
  for (const ModelRanks& model : study.models) {
    for (std::size_t d = 0; d < study.documents.size(); ++d) {
      const RankedDocument& document = study.documents[d];
      for (std::size_t t = 0; t < model.trace.num_rounds; ++t) {
        table.add({cell(model.model), cell(document.document), cell(document.grade),
                   cell(document.is_low ? 1 : 0), cell(t + 1), cell(model.trace.ranks[d][t] + 1)});
      }
    }
  }
  return table;
}

}  // namespace

void RankStudyParams::visit(ParamVisitor& visitor) {
  visitor.field("query", query, "query to follow; by default the first");
  visitor.field(
      "low", low,
      "mark documents that stay in this lowest share of the ranks of the first model; 0 marks none",
      kShare);
  visitor.field("from", from,
                "first tree from which they must stay there; before it most documents are tied",
                Range{.low = 1});
  visitor.field("negative_grade", negative_grade, "documents above this grade are never marked");
}

void RankedDocument::visit(ResultVisitor& visitor) const {
  visitor.field("document", document, "its name");
  visitor.field("grade", grade, "its grade");
  visitor.field("is_low", is_low, "the first model always keeps it at the bottom");
}

void ModelRanks::visit(ResultVisitor& visitor) const {
  visitor.field("model", model, "its name");
  visitor.field("num_trees", trace.num_rounds, "trees of the model");
  visitor.field("moves", moves, "ranks a document moves a tree, in the mean");
  visitor.field("low_moves", low_moves, "the same of the low documents");
  visitor.field("low_at_end", low_at_end, "share of the bottom the low documents fill at the end");
  std::vector<DocumentRanks> ranks;
  for (const auto& of_document : trace.ranks) {
    ranks.push_back({of_document});
    for (std::uint32_t& rank : ranks.back().ranks) ++rank;
  }
  visitor.list("documents", ranks, "in the order of the study's documents");
}

void RankStudy::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "the query followed");
  visitor.field("low", low, "share of the ranks that are the bottom");
  visitor.field("from", from, "tree from which on low documents stay there");
  visitor.field("num_low", num_low, "documents the first model always keeps at the bottom");
  visitor.list("documents", documents, "of the query");
  visitor.list("models", models, "one entry a model");
}

double mean_move(const RankTrace& trace, const std::vector<bool>& documents) {
  double sum = 0;
  double steps = 0;
  for (std::size_t d = 0; d < trace.num_documents(); ++d) {
    if (!documents.empty() && !documents[d]) continue;
    for (std::size_t t = 1; t < trace.num_rounds; ++t) {
      sum += std::abs(static_cast<double>(trace.ranks[d][t]) -
                      static_cast<double>(trace.ranks[d][t - 1]));
      ++steps;
    }
  }
  return steps == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / steps;
}

RankStudy study_ranks(std::span<const NamedForest> models, const Dataset& data,
                      const RankStudyParams& params) {
  check_params(params);
  const std::size_t query = query_named(data.queries(), params.query);
  const RowRange rows = data.queries().rows(query);
  const auto grades = data.grades().subspan(rows.begin, rows.size());
  RankStudy study{.query = data.queries().id(query), .low = params.low, .from = params.from};
  for (const NamedForest& each : models) {
    study.models.push_back({.model = each.name, .trace = trace_ranks(each.forest, data, query)});
  }
  const std::vector<bool> low =
      always_at_bottom(study.models.front().trace, grades, params.low, params.negative_grade,
                       static_cast<std::size_t>(params.from));
  study.num_low = static_cast<std::size_t>(std::ranges::count(low, true));
  for (std::size_t d = 0; d < rows.size(); ++d) {
    study.documents.push_back(
        {.document = data.document_name(rows.begin + d), .grade = grades[d], .is_low = low[d]});
  }
  for (ModelRanks& model : study.models) {
    model.moves = mean_move(model.trace, {});
    model.low_moves = mean_move(model.trace, low);
    model.low_at_end = share_of_bottom(model.trace, low, params.low, model.trace.num_rounds - 1);
  }
  return study;
}

StudyTables study_tables(const RankStudy& study) {
  Table shown({{.name = "model"},
               {.name = "trees"},
               {.name = "documents"},
               {.name = "moves a tree", .digits = 3},
               {.name = "low: moves a tree", .digits = 3},
               {.name = "low: at end", .notation = Notation::kPercent, .digits = 1}});
  for (const ModelRanks& model : study.models) {
    shown.add({cell(model.model), cell(model.trace.num_rounds), cell(study.documents.size()),
               cell(model.moves), cell(model.low_moves), cell(model.low_at_end)});
  }
  return {.data = data_table(study),
          .shown = std::move(shown),
          .notes = {fmt::format(
              "low: the {} documents that {} keeps in the lowest {:.0f} % of the ranks from tree "
              "{} on; 'at end' is the share of those ranks they fill after the last",
              study.num_low, study.models.front().model, 100 * study.low, study.from)}};
}

}  // namespace glassrank
