#pragma once
// What `data stats` reports: the numbers of stats.h with the names of features, queries and
// documents in place of their indices.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/data/stats.h"

namespace glassrank {

struct GradeCount {
  float grade = 0;
  std::size_t num_rows = 0;

  void visit(ResultVisitor& visitor) const;
};

struct FeatureCopy {
  std::string feature;
  std::string copy_of;

  void visit(ResultVisitor& visitor) const;
};

struct GradedDocument {
  std::string document;
  float grade = 0;

  void visit(ResultVisitor& visitor) const;
};

struct ConflictReport {
  std::string query;
  std::vector<GradedDocument> documents;

  void visit(ResultVisitor& visitor) const;
};

struct FeatureReport {
  std::string feature;
  FeatureStats stats;

  void visit(ResultVisitor& visitor) const;
};

struct StatsReport {
  DataStats stats;
  std::vector<GradeCount> grades;
  std::vector<std::string> constant_features;
  std::vector<FeatureCopy> duplicate_features;
  std::vector<ConflictReport> grade_conflicts;
  std::vector<FeatureReport> features;  // empty unless asked for

  void visit(ResultVisitor& visitor) const;
};

StatsReport stats_report(DataStats stats, const Dataset& data, bool with_features);

}  // namespace glassrank
