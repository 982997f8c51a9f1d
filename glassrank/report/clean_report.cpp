#include "glassrank/report/clean_report.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "glassrank/base/text_columns.h"
#include "glassrank/data/io/kept_rows.h"
#include "glassrank/methods/cleaners/rank_history.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostConvincing = 10;
constexpr std::size_t kFeaturesShown = 2;  // of each document, on the terminal

std::string_view evidence_name(const RemovedDocuments& removed) {
  return cleaner_of(removed.cleaning.params.method)->traits().evidence;
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

struct CountOfGrade {
  std::size_t documents = 0;
  std::size_t removed = 0;
};

std::map<float, CountOfGrade> counts_by_grade(const RemovedDocuments& removed) {
  std::map<float, CountOfGrade> counts;
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

RemovedDocument describe(const RemovedDocuments& removed, std::size_t i, const std::string& query) {
  const DroppedRow& row = removed.cleaning.dropped[i];
  RemovedDocument document{.query = query,
                           .document = removed.data.document_name(row.row),
                           .line = removed.lines[i],
                           .grade = removed.data.grades()[row.row],
                           .looks_like = removed.odd[i].looks_like,
                           .evidence = row.evidence,
                           .ranks = {},
                           .odd_features = {}};
  for (std::size_t k = 0; k < removed.rounds.size(); ++k) {
    document.ranks.push_back({removed.rounds[k], removed.ranks[i][k] + std::size_t{1}});
  }
  for (const OddFeature& odd : removed.odd[i].features) {
    document.odd_features.push_back({removed.data.feature_names()[odd.feature], odd});
  }
  return document;
}

}  // namespace

RemovedDocuments describe_removed(const Dataset& train, const Cleaning& cleaning,
                                  const TrainFiles& files, Checkpoints& checkpoints,
                                  std::size_t odd_features, const Context& context) {
  std::vector<std::uint32_t> rows;
  for (const DroppedRow& row : cleaning.dropped) rows.push_back(row.row);
  RemovedDocuments removed{.data = train, .cleaning = cleaning};
  if (rows.empty()) return removed;
  removed.odd = Oddness(train, context).of(rows, odd_features, context);
  removed.lines = lines_of_rows(files.train, files.read, train, rows, context);
  const Forest base = load_trees(&checkpoints, kBasePhase).value_or(Forest());
  // The base model may have ended early, when no split was left.
  const std::size_t last =
      std::min(base.trees().size(), static_cast<std::size_t>(cleaning.params.end));
  if (last > 0) {
    // A cleaner that looks at one round shows the way there.
    const bool has_window = cleaner_of(cleaning.params.method)->uses("start");
    const std::size_t first =
        has_window ? std::min(last, static_cast<std::size_t>(cleaning.params.start)) : 1;
    removed.rounds = history_rounds(first, last);
    removed.ranks = rank_history(base, train, rows, removed.rounds, context);
  }
  return removed;
}

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

void OddFeatureReport::visit(ResultVisitor& visitor) const {
  visitor.field("feature", feature, "its name");
  visitor.field("value", odd.value, "of the document");
  visitor.field("typical", odd.typical, "of documents of its grade");
  visitor.field("difference", odd.difference, "in spreads of the feature");
}

void RankAtRound::visit(ResultVisitor& visitor) const {
  visitor.field("round", round, "trees of the base model");
  visitor.field("rank", rank, "from 1");
}

void RemovedDocument::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "its query");
  visitor.field("document", document, "its name");
  visitor.field("line", line, "of the training file, from 1");
  visitor.field("grade", grade, "its grade");
  visitor.field("looks_like", looks_like, "the grade whose documents it resembles most");
  visitor.field("evidence", evidence, "see the result's evidence");
  visitor.list("ranks", ranks, "after some rounds; empty without a base model");
  visitor.list("odd_features", odd_features, "in which it differs from its grade");
}

void RemovedOfGrade::visit(ResultVisitor& visitor) const {
  visitor.field("grade", grade, "the grade");
  visitor.field("num_rows", num_rows, "documents that have it");
  visitor.field("num_dropped", num_dropped, "of these removed");
}

void CleanReport::visit(ResultVisitor& visitor) const {
  visitor.field("summary", summary, "what was done, in a sentence");
  visitor.field("num_rows", num_rows, "documents before");
  visitor.field("num_dropped", num_dropped, "documents removed");
  visitor.field("num_queries", num_queries, "queries");
  visitor.field("num_queries_touched", num_queries_touched, "queries that lose a document");
  visitor.field("num_queries_emptied", num_queries_emptied, "queries that lose all");
  visitor.list("grades", grades, "from the lowest on");
  visitor.field("evidence", evidence,
                "what speaks against a document: outlier_share (of rounds) or anomaly_score");
  visitor.list("most_convincing", most_convincing, "the documents with the largest evidence");
  visitor.field("out", out, "the cleaned data");
  visitor.field("list", list, "TSV file of the documents removed");
}

CleanReport clean_report(const RemovedDocuments& removed) {
  const QueryCounts queries = count_queries(removed);
  CleanReport report{.out = {},
                     .list = {},
                     .summary = removed.cleaning.summary,
                     .num_rows = removed.data.num_rows(),
                     .num_dropped = removed.cleaning.dropped.size(),
                     .num_queries = removed.data.num_queries(),
                     .num_queries_touched = queries.touched,
                     .num_queries_emptied = queries.emptied,
                     .grades = {},
                     .evidence = std::string(evidence_name(removed)),
                     .most_convincing = {}};
  for (const auto& [grade, count] : counts_by_grade(removed)) {
    report.grades.push_back({grade, count.documents, count.removed});
  }
  const auto query_of_row = removed.data.queries().query_of_rows();
  for (const std::size_t i : most_convincing(removed)) {
    const std::uint32_t row = removed.cleaning.dropped[i].row;
    report.most_convincing.push_back(
        describe(removed, i, removed.data.queries().id(query_of_row[row])));
  }
  return report;
}

}  // namespace glassrank
