// What a summary of attributions looks like to programs: names, keys, a table.

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "glassrank/explain/global/attribution_summary.h"

namespace glassrank {

std::span<const std::pair<std::string_view, SummaryUnit>> EnumNames<SummaryUnit>::table() {
  static constexpr std::array<std::pair<std::string_view, SummaryUnit>, 2> kTable{{
      {"document", SummaryUnit::kDocument},
      {"query", SummaryUnit::kQuery},
  }};
  return kTable;
}

void SummaryParams::visit(ParamVisitor& visitor) {
  visitor.field("each", each,
                "unit of the mean: every document, or every query, has the same weight");
  visitor.field("quantiles", quantiles, "quantiles of the attributions to list", kShare);
  visitor.field("quantile_documents", quantile_documents,
                "maximum number of documents from which quantiles are taken",
                Range{.low = 1, .high = 1e9});
}

void FeatureSummary::visit(ResultVisitor& visitor) const {
  visitor.field("feature", feature, "its name");
  visitor.field("mean", mean, "mean attribution");
  visitor.field("mean_amount", mean_amount, "mean size of the attribution, whatever its sign");
  visitor.field("mean_amount_within", mean_amount_within,
                "the same after the query's mean is taken off: what orders documents");
  visitor.field("direction", direction,
                "rank correlation of values and attributions: 1, the more the better");
  visitor.field("quantiles", quantiles, "of the attributions");
  visitor.field("quantiles_within", quantiles_within, "after the query's mean is taken off");
}

void GroupSummary::visit(ResultVisitor& visitor) const {
  visitor.field("name", name, "of the group of queries");
  visitor.field("num_queries", num_queries, "in it");
  visitor.field("num_rows", num_rows, "documents in it");
  visitor.list("features", features, "in the order of the model");
}

void AttributionSummary::visit(ResultVisitor& visitor) const {
  visitor.field("shares", params.quantiles, "that the quantiles are taken at");
  visitor.object("all", all, "all queries");
  visitor.list("groups", groups, "chosen groups of queries");
}

Table summary_table(const AttributionSummary& summary, std::size_t top) {
  Table table({{.name = "group"},
               {.name = "feature"},
               {.name = "within queries"},
               {.name = "amount"},
               {.name = "mean"},
               {.name = "direction", .digits = 2}});
  const auto add = [&](const GroupSummary& group) {
    const std::vector<std::size_t> order = features_by_amount_within(group);
    const std::size_t shown = top == 0 ? order.size() : std::min(top, order.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const FeatureSummary& feature = group.features[order[i]];
      table.add({cell(group.name), cell(feature.feature), cell(feature.mean_amount_within),
                 cell(feature.mean_amount), cell(feature.mean), cell(feature.direction)});
    }
  };
  add(summary.all);
  for (const GroupSummary& group : summary.groups) add(group);
  return table;
}

Table summary_values(const AttributionSummary& summary) {
  std::vector<Column> columns = {{.name = "group"},          {.name = "queries"},
                                 {.name = "documents"},      {.name = "feature"},
                                 {.name = "within queries"}, {.name = "amount"},
                                 {.name = "mean"},           {.name = "direction"}};
  for (const double share : summary.params.quantiles) {
    columns.push_back({.name = fmt::format("quantile {}", share)});
  }
  for (const double share : summary.params.quantiles) {
    columns.push_back({.name = fmt::format("within quantile {}", share)});
  }
  Table table(std::move(columns));
  const std::size_t num_quantiles = summary.params.quantiles.size();
  const auto add = [&](const GroupSummary& group) {
    for (const std::size_t f : features_by_amount_within(group)) {
      const FeatureSummary& feature = group.features[f];
      std::vector<Cell> row = {
          cell(group.name),      cell(group.num_queries),          cell(group.num_rows),
          cell(feature.feature), cell(feature.mean_amount_within), cell(feature.mean_amount),
          cell(feature.mean),    cell(feature.direction)};
      for (const auto* const quantiles : {&feature.quantiles, &feature.quantiles_within}) {
        for (std::size_t i = 0; i < num_quantiles; ++i) {
          // A group may have none of the documents that were drawn for quantiles.
          row.push_back(quantiles->empty() ? Cell() : cell((*quantiles)[i]));
        }
      }
      table.add(std::move(row));
    }
  };
  add(summary.all);
  for (const GroupSummary& group : summary.groups) add(group);
  return table;
}

}  // namespace glassrank
