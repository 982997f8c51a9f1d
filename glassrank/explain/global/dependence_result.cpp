// What a dependence looks like to programs: names, keys, tables.

#include <array>
#include <cmath>
#include <utility>

#include "glassrank/explain/global/dependence.h"

namespace glassrank {
namespace {

Cell number_or_nothing(float value) {
  return std::isfinite(value) ? Cell(value) : Cell(std::monostate{});
}

// Two cells for a place of an axis: from and to, or twice the point; nothing for an open end.
void add_place(const DependenceAxis& axis, std::size_t place, std::vector<Cell>& row) {
  if (place == axis.points.size()) {
    row.insert(row.end(), {cell("missing"), cell("missing")});
  } else if (!axis.categories.empty()) {
    row.insert(row.end(), {cell(axis.categories[place]), cell(axis.categories[place])});
  } else if (!axis.is_exact) {
    row.insert(row.end(), {cell(axis.points[place]), cell(axis.points[place])});
  } else {
    row.push_back(place == 0 ? Cell() : number_or_nothing(axis.edges[place - 1]));
    row.push_back(place == axis.edges.size() ? Cell() : number_or_nothing(axis.edges[place]));
  }
}

void add_columns(const DependenceAxis& axis, std::vector<Column>& columns) {
  columns.push_back({.name = axis.feature + " above", .notation = Notation::kShortest});
  columns.push_back({.name = axis.feature + " to", .notation = Notation::kShortest});
}

}  // namespace

std::span<const std::pair<std::string_view, DependenceKind>> EnumNames<DependenceKind>::table() {
  static constexpr std::array<std::pair<std::string_view, DependenceKind>, 3> kTable{{
      {"pdp", DependenceKind::kPartial},
      {"ice", DependenceKind::kIce},
      {"ale", DependenceKind::kAle},
  }};
  return kTable;
}

std::string_view name_of(DependenceKind kind) {
  for (const auto& [name, value] : EnumNames<DependenceKind>::table()) {
    if (value == kind) return name;
  }
  return {};
}

std::span<const std::pair<std::string_view, Centring>> EnumNames<Centring>::table() {
  static constexpr std::array<std::pair<std::string_view, Centring>, 3> kTable{{
      {"none", Centring::kNone},
      {"mean", Centring::kMean},
      {"query", Centring::kQuery},
  }};
  return kTable;
}

void DependenceParams::visit(ParamVisitor& visitor) {
  visitor.field("kind", kind,
                "kind of curve: pdp is the mean score over all documents, ice has a curve per "
                "document, ale sums local changes near values that documents have");
  visitor.field("centre", centre,
                "what to subtract from a curve: nothing, its mean, or the mean score of the "
                "document's query (only differences within a query change the order)");
  visitor.field("points", points,
                "number of values of a feature to show, spread evenly over documents; 0 is every "
                "step of a forest or an additive model, and 50 for ale and black boxes",
                Range{.low = 0, .high = 1e6});
  visitor.field("documents", documents, "number of documents with a curve, for kind = ice",
                Range{.low = 1, .high = 1e6});
}

void DependenceAxis::visit(ResultVisitor& visitor) const {
  visitor.field("feature", feature, "its name");
  visitor.field("is_exact", is_exact,
                "whether the numbers hold in whole ranges between edges, or only at the points");
  visitor.field("edges", edges, "number i holds above edge i - 1 up to edge i");
  visitor.field("points", points, "ascending values; exact: one in every range");
  visitor.field("has_missing", has_missing, "whether the last number is for missing values");
  visitor.field(
      "categories", categories,
      "of a feature of categories: what each point is called; others: rare and unseen ones");
  visitor.field("weights", weights, "of the documents by range, or up to the point");
}

void IceCurve::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "its query");
  visitor.field("document", document, "its name");
  visitor.field("value", value, "that the document has");
  visitor.field("score", score, "at that value");
  visitor.field("values", values, "scores, in the order of the axis");
}

void Dependence::visit(ResultVisitor& visitor) const {
  visitor.field("kind", name_of(kind), "pdp, ice or ale");
  visitor.field("num_rows", num_rows, "documents that the numbers are means of");
  visitor.field("num_left_out", num_left_out, "ale: documents whose value is missing");
  visitor.list("axes", axes, "the features");
  visitor.field("values", values, "scores, in the order of the axes, the second one fastest");
  visitor.list("curves", curves, "ice: one per document");
}

Table dependence_table(const Dependence& dependence) {
  std::vector<Column> columns;
  const bool is_ice = dependence.kind == DependenceKind::kIce;
  if (is_ice) columns = {{.name = "query"}, {.name = "document"}};
  for (const DependenceAxis& axis : dependence.axes) add_columns(axis, columns);
  columns.push_back({.name = std::string(name_of(dependence.kind))});
  if (dependence.axes.size() == 1 && !is_ice) {
    columns.push_back({.name = "weight", .notation = Notation::kShortest});
  }
  Table table(std::move(columns));
  const DependenceAxis& first = dependence.axes[0];
  if (is_ice) {
    for (const IceCurve& curve : dependence.curves) {
      for (std::size_t p = 0; p < first.size(); ++p) {
        std::vector<Cell> row = {cell(curve.query), cell(curve.document)};
        add_place(first, p, row);
        row.push_back(cell(curve.values[p]));
        table.add(std::move(row));
      }
    }
    return table;
  }
  const std::size_t width = dependence.axes.size() == 2 ? dependence.axes[1].size() : 1;
  for (std::size_t i = 0; i < dependence.values.size(); ++i) {
    std::vector<Cell> row;
    add_place(first, i / width, row);
    if (dependence.axes.size() == 2) add_place(dependence.axes[1], i % width, row);
    row.push_back(cell(dependence.values[i]));
    if (dependence.axes.size() == 1) row.push_back(cell(first.weights[i]));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace glassrank
