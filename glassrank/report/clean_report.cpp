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

std::string_view evidence_name(const DroppedDocuments& dropped) {
  return cleaner_of(dropped.cleaning.params.method)->traits().evidence;
}

std::string number(float value) { return fmt::format("{}", value); }

std::string feature_text(const DroppedDocuments& dropped, const OddFeature& odd) {
  return fmt::format("{}={:.4g} (typical {:.4g}, {:+.2f})",
                     table_cell(dropped.data.feature_names()[odd.feature]), odd.value, odd.typical,
                     odd.difference);
}

std::string features_text(const DroppedDocuments& dropped, const OddRow& odd, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < std::min(count, odd.features.size()); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : "; ", feature_text(dropped, odd.features[i]));
  }
  return text;
}

struct CountOfGrade {
  std::size_t documents = 0;
  std::size_t dropped = 0;
};

std::map<float, CountOfGrade> counts_by_grade(const DroppedDocuments& dropped) {
  std::map<float, CountOfGrade> counts;
  for (const float grade : dropped.data.grades()) ++counts[grade].documents;
  for (const DroppedRow& row : dropped.cleaning.dropped) {
    ++counts[dropped.data.grades()[row.row]].dropped;
  }
  return counts;
}

struct QueryCounts {
  std::size_t touched = 0;  // queries that lose a document
  std::size_t emptied = 0;  // queries that lose all
  std::size_t most = 0;     // documents of one query
  std::size_t most_query = 0;
};

QueryCounts count_queries(const DroppedDocuments& dropped) {
  std::vector<std::size_t> of_query(dropped.data.num_queries());
  const auto query_of_row = dropped.data.queries().query_of_rows();
  for (const DroppedRow& row : dropped.cleaning.dropped) ++of_query[query_of_row[row.row]];
  QueryCounts counts;
  for (std::size_t q = 0; q < of_query.size(); ++q) {
    counts.touched += of_query[q] > 0 ? 1 : 0;
    counts.emptied += of_query[q] > 0 && of_query[q] == dropped.data.queries().rows(q).size();
    if (of_query[q] > counts.most) {
      counts.most = of_query[q];
      counts.most_query = q;
    }
  }
  return counts;
}

// Indices of the documents, the most convincing first.
std::vector<std::size_t> most_convincing(const DroppedDocuments& dropped) {
  std::vector<std::size_t> order(dropped.odd.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto gap = [&](std::size_t i) {
    return dropped.odd[i].own_distance - dropped.odd[i].distance;
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const float x = dropped.cleaning.dropped[a].evidence;
    const float y = dropped.cleaning.dropped[b].evidence;
    return x != y ? x > y : gap(a) > gap(b);
  });
  order.resize(std::min(order.size(), kMostConvincing));
  return order;
}

std::string ranks_text(const DroppedDocuments& dropped, std::size_t i) {
  std::string text;
  for (const std::uint32_t rank : dropped.ranks[i]) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", rank + 1);
  }
  return text;
}

std::string examples_text(const DroppedDocuments& dropped) {
  TextColumns columns;
  std::vector<std::string> header = {"query", "document", "grade", "looks like",
                                     dropped.rounds.empty() ? "score" : "wrong"};
  for (const std::size_t column : {2U, 3U, 4U}) columns.align_right(column);
  if (!dropped.rounds.empty()) {
    header.push_back(fmt::format("rank after {} rounds", fmt::join(dropped.rounds, " ")));
  }
  header.emplace_back("differs from its grade in");
  columns.add(header);
  const auto query_of_row = dropped.data.queries().query_of_rows();
  for (const std::size_t i : most_convincing(dropped)) {
    const DroppedRow& row = dropped.cleaning.dropped[i];
    std::vector<std::string> cells = {
        table_cell(dropped.data.queries().id(query_of_row[row.row])),
        table_cell(dropped.data.document_name(row.row)), number(dropped.data.grades()[row.row]),
        number(dropped.odd[i].looks_like),
        dropped.rounds.empty() ? fmt::format("{:.3f}", row.evidence)
                               : fmt::format("{:.0f} %", 100 * row.evidence)};
    if (!dropped.rounds.empty()) cells.push_back(ranks_text(dropped, i));
    cells.push_back(features_text(dropped, dropped.odd[i], kFeaturesShown));
    columns.add(cells);
  }
  return columns.text();
}

DroppedDocument describe(const DroppedDocuments& dropped, std::size_t i, const std::string& query) {
  const DroppedRow& row = dropped.cleaning.dropped[i];
  DroppedDocument document{.query = query,
                           .document = dropped.data.document_name(row.row),
                           .line = dropped.lines[i],
                           .grade = dropped.data.grades()[row.row],
                           .looks_like = dropped.odd[i].looks_like,
                           .evidence = row.evidence,
                           .ranks = {},
                           .odd_features = {}};
  for (std::size_t k = 0; k < dropped.rounds.size(); ++k) {
    document.ranks.push_back({dropped.rounds[k], dropped.ranks[i][k] + std::size_t{1}});
  }
  for (const OddFeature& odd : dropped.odd[i].features) {
    document.odd_features.push_back({dropped.data.feature_names()[odd.feature], odd});
  }
  return document;
}

}  // namespace

DroppedDocuments describe_dropped(const Dataset& train, const Cleaning& cleaning,
                                  const TrainFiles& files, Checkpoints& checkpoints,
                                  std::size_t odd_features, const Context& context) {
  std::vector<std::uint32_t> rows;
  for (const DroppedRow& row : cleaning.dropped) rows.push_back(row.row);
  DroppedDocuments dropped{.data = train, .cleaning = cleaning};
  if (rows.empty()) return dropped;
  dropped.odd = Oddness(train, context).of(rows, odd_features, context);
  dropped.lines = lines_of_rows(files.train, files.read, train, rows, context);
  const Forest base = load_trees(&checkpoints, kBasePhase).value_or(Forest());
  // The base model may have ended early, when no split was left.
  const std::size_t last =
      std::min(base.trees().size(), static_cast<std::size_t>(cleaning.params.end));
  if (last > 0) {
    // A cleaner that looks at one round shows the way there.
    const bool has_window = cleaner_of(cleaning.params.method)->uses("start");
    const std::size_t first =
        has_window ? std::min(last, static_cast<std::size_t>(cleaning.params.start)) : 1;
    dropped.rounds = history_rounds(first, last);
    dropped.ranks = rank_history(base, train, rows, dropped.rounds, context);
  }
  return dropped;
}

std::string dropped_tsv(const DroppedDocuments& dropped) {
  std::string text =
      fmt::format("query\tdocument\tline\tgrade\tlooks_like\t{}", evidence_name(dropped));
  for (const std::size_t round : dropped.rounds) text += fmt::format("\trank@{}", round);
  text += "\todd_features\n";
  const auto query_of_row = dropped.data.queries().query_of_rows();
  for (std::size_t i = 0; i < dropped.cleaning.dropped.size(); ++i) {
    const DroppedRow& row = dropped.cleaning.dropped[i];
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}",
                        table_cell(dropped.data.queries().id(query_of_row[row.row])),
                        table_cell(dropped.data.document_name(row.row)), dropped.lines[i],
                        dropped.data.grades()[row.row], dropped.odd[i].looks_like, row.evidence);
    for (std::size_t k = 0; k < dropped.rounds.size(); ++k) {
      text += fmt::format("\t{}", dropped.ranks[i][k] + 1);
    }
    text += fmt::format("\t{}\n",
                        features_text(dropped, dropped.odd[i], dropped.odd[i].features.size()));
  }
  return text;
}

std::string dropped_text(const DroppedDocuments& dropped) {
  TextColumns columns;
  for (std::size_t column = 1; column < 4; ++column) columns.align_right(column);
  columns.add({"grade", "documents", "dropped", "share"});
  for (const auto& [grade, count] : counts_by_grade(dropped)) {
    columns.add({number(grade), fmt::format("{}", count.documents),
                 fmt::format("{}", count.dropped),
                 fmt::format("{:.2f} %", 100.0 * static_cast<double>(count.dropped) /
                                             static_cast<double>(count.documents))});
  }
  std::string text = fmt::format("{}\n\n{}", dropped.cleaning.summary, columns.text());
  if (dropped.cleaning.dropped.empty()) return text;
  const QueryCounts queries = count_queries(dropped);
  text += fmt::format("\n{} of {} queries lose documents, {} all of them; most {} (query {})\n",
                      queries.touched, dropped.data.num_queries(), queries.emptied, queries.most,
                      table_cell(dropped.data.queries().id(queries.most_query)));
  text += fmt::format("\nthe most convincing {}\n{}", std::min(kMostConvincing, dropped.odd.size()),
                      examples_text(dropped));
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

void DroppedDocument::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "its query");
  visitor.field("document", document, "its name");
  visitor.field("line", line, "of the training file, from 1");
  visitor.field("grade", grade, "its grade");
  visitor.field("looks_like", looks_like, "the grade whose documents it resembles most");
  visitor.field("evidence", evidence, "see the result's evidence");
  visitor.list("ranks", ranks, "after some rounds; empty without a base model");
  visitor.list("odd_features", odd_features, "in which it differs from its grade");
}

void DroppedOfGrade::visit(ResultVisitor& visitor) const {
  visitor.field("grade", grade, "the grade");
  visitor.field("num_rows", num_rows, "documents that have it");
  visitor.field("num_dropped", num_dropped, "of these dropped");
}

void CleanReport::visit(ResultVisitor& visitor) const {
  visitor.field("summary", summary, "what was done, in a sentence");
  visitor.field("num_rows", num_rows, "documents before");
  visitor.field("num_dropped", num_dropped, "documents dropped");
  visitor.field("num_queries", num_queries, "queries");
  visitor.field("num_queries_touched", num_queries_touched, "queries that lose a document");
  visitor.field("num_queries_emptied", num_queries_emptied, "queries that lose all");
  visitor.list("grades", grades, "from the lowest on");
  visitor.field("evidence", evidence,
                "what speaks against a document: outlier_share (of rounds) or anomaly_score");
  visitor.list("most_convincing", most_convincing, "the documents with the largest evidence");
  visitor.field("out", out, "the cleaned data");
  visitor.field("list", list, "TSV file of the documents dropped");
}

CleanReport clean_report(const DroppedDocuments& dropped) {
  const QueryCounts queries = count_queries(dropped);
  CleanReport report{.out = {},
                     .list = {},
                     .summary = dropped.cleaning.summary,
                     .num_rows = dropped.data.num_rows(),
                     .num_dropped = dropped.cleaning.dropped.size(),
                     .num_queries = dropped.data.num_queries(),
                     .num_queries_touched = queries.touched,
                     .num_queries_emptied = queries.emptied,
                     .grades = {},
                     .evidence = std::string(evidence_name(dropped)),
                     .most_convincing = {}};
  for (const auto& [grade, count] : counts_by_grade(dropped)) {
    report.grades.push_back({grade, count.documents, count.dropped});
  }
  const auto query_of_row = dropped.data.queries().query_of_rows();
  for (const std::size_t i : most_convincing(dropped)) {
    const std::uint32_t row = dropped.cleaning.dropped[i].row;
    report.most_convincing.push_back(
        describe(dropped, i, dropped.data.queries().id(query_of_row[row])));
  }
  return report;
}

}  // namespace glassrank
