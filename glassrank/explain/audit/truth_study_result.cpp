// What the study of explainers against the truth looks like: parameters, keys, a table.

#include <utility>

#include "glassrank/explain/audit/truth_study.h"

namespace glassrank {

void TruthParams::visit(ParamVisitor& visitor) {
  visitor.field("queries", queries, "number of queries to explain, the first ones of the data",
                Range{.low = 1, .high = 1e9});
  visitor.field("documents", documents,
                "documents to explain per query, spread evenly over its ranking; pairs are "
                "neighbours among them",
                Range{.low = 2, .high = 1e6});
  visitor.field("k", k, "number of most important features, for the overlap",
                Range{.low = 1, .high = 1e6});
  aggregation.visit(visitor);
  visitor.group("compare", compare);
}

void MeanOverQueries::visit(ResultVisitor& visitor) const {
  visitor.field("mean", mean, "over queries");
  visitor.field("error", error, "standard error of the mean");
  visitor.field("num_queries", num_queries, "that have a number");
}

void TruthAgreement::visit(ResultVisitor& visitor) const {
  visitor.field("explainer", explainer, "its label in this study");
  visitor.field("question", question, "document, pair, ranking, or ranking by spread");
  visitor.object("pearson", pearson, "correlation of attributions and true contributions");
  visitor.object("spearman", spearman, "correlation of their orders");
  visitor.object("top_overlap", top_overlap, "share of the true first k features that are named");
  visitor.field("is_best", is_best, "whether no other explainer has a larger Pearson correlation");
  visitor.field("p_best", p_best,
                "of the difference to the best in Pearson's correlation, corrected over the pairs "
                "of explainers of the question");
}

void TruthStudy::visit(ResultVisitor& visitor) const {
  visitor.field("num_shops", num_shops, "book shops");
  visitor.field("num_queries", num_queries, "queries that were explained, of all shops");
  visitor.field("k", k, "features of the overlap");
  visitor.field("model_agreement", model_agreement,
                "mean rank correlation of the model's scores and the true utility within queries");
  visitor.list("agreements", agreements, "one per explainer and question");
}

Table truth_table(const TruthStudy& study) {
  Table table({{.name = "explainer"},
               {.name = "question"},
               {.name = "pearson", .digits = 3},
               {.name = "+-", .digits = 3},
               {.name = "p best", .digits = 3},
               {.name = "spearman", .digits = 3},
               {.name = "+-", .digits = 3},
               {.name = "top overlap", .digits = 3},
               {.name = "+-", .digits = 3}});
  for (const TruthAgreement& agreement : study.agreements) {
    std::vector<Cell> row = {cell(agreement.explainer), cell(agreement.question)};
    const auto cell_of = [](const std::optional<double>& number) {
      return number ? cell(*number) : Cell();
    };
    for (const MeanOverQueries* number :
         {&agreement.pearson, &agreement.spearman, &agreement.top_overlap}) {
      row.push_back(cell_of(number->mean));
      row.push_back(cell_of(number->error));
      if (number == &agreement.pearson) row.push_back(cell_of(agreement.p_best));
    }
    table.add(std::move(row));
  }
  return table;
}

}  // namespace glassrank
