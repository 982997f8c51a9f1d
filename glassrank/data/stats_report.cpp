#include "glassrank/data/stats_report.h"

namespace glassrank {
namespace {

struct SizesReport {
  SizeStats sizes;
  void visit(ResultVisitor& visitor) const {
    visitor.field("min", sizes.min, "of the smallest query");
    visitor.field("median", sizes.median, "of the middle one");
    visitor.field("mean", sizes.mean, "over queries");
    visitor.field("max", sizes.max, "of the largest");
  }
};

}  // namespace

void GradeCount::visit(ResultVisitor& visitor) const {
  visitor.field("grade", grade, "the grade");
  visitor.field("num_rows", num_rows, "rows that have it");
}

void FeatureCopy::visit(ResultVisitor& visitor) const {
  visitor.field("feature", feature, "the later of the two");
  visitor.field("copy_of", copy_of, "the first of its kind");
}

void GradedDocument::visit(ResultVisitor& visitor) const {
  visitor.field("document", document, "its name");
  visitor.field("grade", grade, "its grade");
}

void ConflictReport::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "its name");
  visitor.list("documents", documents, "with the same features");
}

void FeatureReport::visit(ResultVisitor& visitor) const {
  visitor.field("feature", feature, "its name");
  visitor.field("min", stats.min, "smallest value");
  visitor.field("max", stats.max, "largest value");
  visitor.field("mean", stats.mean, "of the values that are there");
  visitor.field("num_missing", stats.missing, "rows without a value");
  visitor.field("num_zeros", stats.zeros, "rows with 0");
  visitor.field("num_distinct", stats.distinct, "different values");
  visitor.field("distinct_capped", stats.distinct_capped, "there are more than were counted");
}

void StatsReport::visit(ResultVisitor& visitor) const {
  visitor.field("num_rows", stats.num_rows, "documents");
  visitor.field("num_queries", stats.num_queries, "queries");
  visitor.field("num_features", stats.num_features, "features");
  visitor.object("documents_per_query", SizesReport{stats.documents_per_query}, "sizes of queries");
  visitor.list("grades", grades, "from the lowest on");
  visitor.field("num_missing", stats.missing, "missing values");
  visitor.field("constant_features", constant_features, "with one value in every row");
  visitor.list("duplicate_features", duplicate_features, "equal to another in every row");
  visitor.field("num_queries_without_relevant", stats.queries_without_relevant,
                "queries without a grade above 0");
  visitor.field("num_queries_with_one_grade", stats.queries_with_one_grade,
                "queries with nothing to rank");
  visitor.field("num_queries_with_one_document", stats.queries_with_one_document,
                "queries of one document");
  visitor.field("num_duplicate_rows", stats.duplicates.rows, "rows equal to an earlier one");
  visitor.field("num_duplicate_rows_within_query", stats.duplicates.rows_within_query,
                "to an earlier one of the same query");
  visitor.list("grade_conflicts", grade_conflicts, "equal documents with different grades");
  visitor.list("features", features, "one entry a feature, with --features");
}

StatsReport stats_report(DataStats stats, const Dataset& data, bool with_features) {
  const auto names = data.feature_names();
  StatsReport report;
  for (const auto& [grade, count] : stats.grades) report.grades.push_back({grade, count});
  for (const std::size_t f : stats.constant_features) report.constant_features.push_back(names[f]);
  for (const auto& [copy, original] : stats.duplicate_features) {
    report.duplicate_features.push_back({names[copy], names[original]});
  }
  for (const GradeConflict& conflict : stats.duplicates.conflicts) {
    ConflictReport each{.query = data.queries().id(conflict.query), .documents = {}};
    for (const std::size_t row : conflict.rows) {
      each.documents.push_back({data.document_name(row), data.grades()[row]});
    }
    report.grade_conflicts.push_back(std::move(each));
  }
  for (std::size_t f = 0; with_features && f < stats.num_features; ++f) {
    report.features.push_back({names[f], stats.features[f]});
  }
  report.stats = std::move(stats);
  return report;
}

}  // namespace glassrank
