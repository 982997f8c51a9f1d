#include "cli/clean_table.h"

#include <fmt/format.h>

#include "glassrank/base/text_columns.h"
#include "glassrank/data/document_name.h"

namespace glassrank::cli {
namespace {

// What tells the cleanings of one grid apart.
struct Cell {
  std::string type;
  std::string start;
  std::string p;
};

Cell cell_of(const CleanParams& params) {
  if (params.method == CleanMethod::kNone) return {"-", "-", "-"};
  const bool has_window =
      params.method == CleanMethod::kSour || params.method == CleanMethod::kPSour;
  if (params.method == CleanMethod::kIsolationForest) {
    return {std::string(name_of(params.type)), "-",
            params.contamination > 0 ? fmt::format("{}", params.contamination.value)
                                     : fmt::format("> {}", params.threshold.value)};
  }
  return {std::string(name_of(params.type)),
          has_window ? fmt::format("{}", params.start.value) : "-",
          params.method == CleanMethod::kPSour ? fmt::format("{}", params.p.value) : "-"};
}

bool is_chosen(const TunedCleaning& cell, const CleanParams& chosen) {
  return cell.params.method == chosen.method && cell.params.type == chosen.type &&
         cell.params.start == chosen.start && cell.params.p == chosen.p &&
         cell.params.contamination == chosen.contamination;
}

double share_of(const TunedCleaning& cell, std::size_t num_rows) {
  return static_cast<double>(cell.num_dropped) / static_cast<double>(num_rows);
}

}  // namespace

std::string grid_text(const CleanedResult& cleaned, std::size_t num_rows,
                      const std::string& metric) {
  TextColumns columns;
  for (std::size_t c = 2; c < 8; ++c) columns.align_right(c);
  columns.add({"cleaner", "type", "start", "p", "dropped", "share", "trees", metric, ""});
  for (const TunedCleaning& cell : cleaned.grid) {
    const Cell names = cell_of(cell.params);
    columns.add({std::string(name_of(cell.params.method)), names.type, names.start, names.p,
                 fmt::format("{}", cell.num_dropped),
                 fmt::format("{:.2f} %", 100 * share_of(cell, num_rows)),
                 fmt::format("{}", cell.num_trees), fmt::format("{:.6f}", cell.metric),
                 is_chosen(cell, cleaned.cleaning.params) ? "<- chosen" : ""});
  }
  return columns.text();
}

std::string dropped_tsv(const RowTable& data, const Cleaning& cleaning) {
  const std::vector<std::uint32_t> query_of_row = data.queries.query_of_rows();
  std::string text = "query\tdocument\trow\tgrade\tevidence\n";
  for (const DroppedRow& dropped : cleaning.dropped) {
    text +=
        fmt::format("{}\t{}\t{}\t{}\t{}\n", table_cell(data.queries.id(query_of_row[dropped.row])),
                    table_cell(document_name(data.document_ids, data.queries, dropped.row)),
                    dropped.row, data.grades[dropped.row], dropped.evidence);
  }
  return text;
}

Json grid_json(const CleanedResult& cleaned, std::size_t num_rows, const std::string& metric) {
  Json grid = Json::array();
  for (const TunedCleaning& cell : cleaned.grid) {
    Json row = {{"cleaner", name_of(cell.params.method)}};
    if (cell.params.method != CleanMethod::kNone) row["type"] = name_of(cell.params.type);
    if (cell.params.method == CleanMethod::kSour || cell.params.method == CleanMethod::kPSour) {
      row["start"] = cell.params.start.value;
      row["end"] = cell.params.end;
    }
    if (cell.params.method == CleanMethod::kPSour) row["p"] = cell.params.p.value;
    if (cell.params.method == CleanMethod::kIsolationForest) {
      row["threshold"] = cell.params.threshold.value;
      row["contamination"] = cell.params.contamination.value;
    }
    row["dropped"] = cell.num_dropped;
    row["share"] = share_of(cell, num_rows);
    row["trees"] = cell.num_trees;
    row[metric] = cell.metric;
    row["chosen"] = is_chosen(cell, cleaned.cleaning.params);
    grid.push_back(std::move(row));
  }
  return grid;
}

}  // namespace glassrank::cli
