#include "cli/clean_report.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "glassrank/base/text_columns.h"

namespace glassrank::cli {
namespace {

constexpr std::size_t kMostConvincing = 10;
constexpr std::size_t kFeaturesShown = 2;  // of each document, on the terminal

const char* evidence_name(const RemovedDocuments& removed) {
  return removed.cleaning.params.method == CleanMethod::kIsolationForest ? "anomaly_score"
                                                                         : "outlier_share";
}

std::string number(float value) { return fmt::format("{}", value); }

std::string feature_text(const RemovedDocuments& removed, const OddFeature& odd) {
  return fmt::format("{}={:.4g} (typical {:.4g}, {:+.2f})",
                     table_cell(removed.data.feature_names()[odd.feature]), odd.value, odd.typical,
                     odd.difference);
}

std::string features_text(const RemovedDocuments& removed, const OddRow& odd, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < std::min(count, odd.features.size()); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : "; ", feature_text(removed, odd.features[i]));
  }
  return text;
}

struct GradeCount {
  std::size_t documents = 0;
  std::size_t removed = 0;
};

std::map<float, GradeCount> counts_by_grade(const RemovedDocuments& removed) {
  std::map<float, GradeCount> counts;
  for (const float grade : removed.data.grades()) ++counts[grade].documents;
  for (const DroppedRow& row : removed.cleaning.dropped) {
    ++counts[removed.data.grades()[row.row]].removed;
  }
  return counts;
}

struct QueryCounts {
  std::size_t touched = 0;  // queries that lose a document
  std::size_t emptied = 0;  // queries that lose all
  std::size_t most = 0;     // documents of one query
  std::size_t most_query = 0;
};

QueryCounts count_queries(const RemovedDocuments& removed) {
  std::vector<std::size_t> of_query(removed.data.num_queries());
  const auto query_of_row = removed.data.queries().query_of_rows();
  for (const DroppedRow& row : removed.cleaning.dropped) ++of_query[query_of_row[row.row]];
  QueryCounts counts;
  for (std::size_t q = 0; q < of_query.size(); ++q) {
    counts.touched += of_query[q] > 0 ? 1 : 0;
    counts.emptied += of_query[q] > 0 && of_query[q] == removed.data.queries().rows(q).size();
    if (of_query[q] > counts.most) {
      counts.most = of_query[q];
      counts.most_query = q;
    }
  }
  return counts;
}

// Indices of the documents, the most convincing first.
std::vector<std::size_t> most_convincing(const RemovedDocuments& removed) {
  std::vector<std::size_t> order(removed.odd.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto gap = [&](std::size_t i) {
    return removed.odd[i].own_distance - removed.odd[i].distance;
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const float x = removed.cleaning.dropped[a].evidence;
    const float y = removed.cleaning.dropped[b].evidence;
    return x != y ? x > y : gap(a) > gap(b);
  });
  order.resize(std::min(order.size(), kMostConvincing));
  return order;
}

std::string ranks_text(const RemovedDocuments& removed, std::size_t i) {
  std::string text;
  for (const std::uint32_t rank : removed.ranks[i]) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", rank + 1);
  }
  return text;
}

std::string examples_text(const RemovedDocuments& removed) {
  TextColumns columns;
  std::vector<std::string> header = {"query", "document", "grade", "looks like",
                                     removed.rounds.empty() ? "score" : "wrong"};
  for (const std::size_t column : {2U, 3U, 4U}) columns.align_right(column);
  if (!removed.rounds.empty()) {
    header.push_back(fmt::format("rank after {} rounds", fmt::join(removed.rounds, " ")));
  }
  header.emplace_back("differs from its grade in");
  columns.add(header);
  const auto query_of_row = removed.data.queries().query_of_rows();
  for (const std::size_t i : most_convincing(removed)) {
    const DroppedRow& row = removed.cleaning.dropped[i];
    std::vector<std::string> cells = {
        table_cell(removed.data.queries().id(query_of_row[row.row])),
        table_cell(removed.data.document_name(row.row)), number(removed.data.grades()[row.row]),
        number(removed.odd[i].looks_like),
        removed.rounds.empty() ? fmt::format("{:.3f}", row.evidence)
                               : fmt::format("{:.0f} %", 100 * row.evidence)};
    if (!removed.rounds.empty()) cells.push_back(ranks_text(removed, i));
    cells.push_back(features_text(removed, removed.odd[i], kFeaturesShown));
    columns.add(cells);
  }
  return columns.text();
}

Json document_json(const RemovedDocuments& removed, std::size_t i, const std::string& query) {
  const DroppedRow& row = removed.cleaning.dropped[i];
  Json json = {{"query", query},
               {"document", removed.data.document_name(row.row)},
               {"line", removed.lines[i]},
               {"grade", removed.data.grades()[row.row]},
               {"looks_like", removed.odd[i].looks_like},
               {evidence_name(removed), row.evidence}};
  for (std::size_t k = 0; k < removed.rounds.size(); ++k) {
    json["ranks"].push_back({{"round", removed.rounds[k]}, {"rank", removed.ranks[i][k] + 1}});
  }
  for (const OddFeature& odd : removed.odd[i].features) {
    json["odd_features"].push_back({{"feature", removed.data.feature_names()[odd.feature]},
                                    {"value", odd.value},
                                    {"typical", odd.typical},
                                    {"difference", odd.difference}});
  }
  return json;
}

}  // namespace

std::string removed_tsv(const RemovedDocuments& removed) {
  std::string text =
      fmt::format("query\tdocument\tline\tgrade\tlooks_like\t{}", evidence_name(removed));
  for (const std::size_t round : removed.rounds) text += fmt::format("\trank@{}", round);
  text += "\todd_features\n";
  const auto query_of_row = removed.data.queries().query_of_rows();
  for (std::size_t i = 0; i < removed.cleaning.dropped.size(); ++i) {
    const DroppedRow& row = removed.cleaning.dropped[i];
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}",
                        table_cell(removed.data.queries().id(query_of_row[row.row])),
                        table_cell(removed.data.document_name(row.row)), removed.lines[i],
                        removed.data.grades()[row.row], removed.odd[i].looks_like, row.evidence);
    for (std::size_t k = 0; k < removed.rounds.size(); ++k) {
      text += fmt::format("\t{}", removed.ranks[i][k] + 1);
    }
    text += fmt::format("\t{}\n",
                        features_text(removed, removed.odd[i], removed.odd[i].features.size()));
  }
  return text;
}

std::string removed_text(const RemovedDocuments& removed) {
  TextColumns columns;
  for (std::size_t column = 1; column < 4; ++column) columns.align_right(column);
  columns.add({"grade", "documents", "removed", "share"});
  for (const auto& [grade, count] : counts_by_grade(removed)) {
    columns.add({number(grade), fmt::format("{}", count.documents),
                 fmt::format("{}", count.removed),
                 fmt::format("{:.2f} %", 100.0 * static_cast<double>(count.removed) /
                                             static_cast<double>(count.documents))});
  }
  std::string text = fmt::format("{}\n\n{}", removed.cleaning.summary, columns.text());
  if (removed.cleaning.dropped.empty()) return text;
  const QueryCounts queries = count_queries(removed);
  text += fmt::format("\n{} of {} queries lose documents, {} all of them; most {} (query {})\n",
                      queries.touched, removed.data.num_queries(), queries.emptied, queries.most,
                      table_cell(removed.data.queries().id(queries.most_query)));
  text += fmt::format("\nthe most convincing {}\n{}", std::min(kMostConvincing, removed.odd.size()),
                      examples_text(removed));
  return text;
}

Json removed_json(const RemovedDocuments& removed) {
  const QueryCounts queries = count_queries(removed);
  Json json = {
      {"summary", removed.cleaning.summary},        {"documents", removed.data.num_rows()},
      {"removed", removed.cleaning.dropped.size()}, {"queries", removed.data.num_queries()},
      {"queries_touched", queries.touched},         {"queries_emptied", queries.emptied}};
  json["grades"] = Json::array();
  for (const auto& [grade, count] : counts_by_grade(removed)) {
    json["grades"].push_back(
        {{"grade", grade}, {"documents", count.documents}, {"removed", count.removed}});
  }
  json["most_convincing"] = Json::array();
  const auto query_of_row = removed.data.queries().query_of_rows();
  for (const std::size_t i : most_convincing(removed)) {
    const std::uint32_t row = removed.cleaning.dropped[i].row;
    json["most_convincing"].push_back(
        document_json(removed, i, removed.data.queries().id(query_of_row[row])));
  }
  return json;
}

}  // namespace glassrank::cli
