#pragma once
// The study `hourglass`: which documents are outliers after which tree (Marcuzzi, Lucchese,
// Orlando, ICTIR 2022, Fig. 6), and how many at once.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/studies/outlier_trace.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {

struct HourglassDocument {
  std::string query;
  std::string document;
  float grade = 0;
  OutlierHistory history;
  std::size_t num_trees = 0;  // of the model

  double share() const;               // of the trees after which it is an outlier
  std::string outlier_after() const;  // "1-3,7": the numbers of those trees
  void visit(ResultVisitor& visitor) const;
};

struct Hourglass {
  std::size_t num_rows = 0;
  std::size_t num_trees = 0;
  std::size_t num_always = 0;                // outliers after every tree
  std::vector<HourglassDocument> documents;  // ever outliers; the most often wrong first
  std::vector<std::size_t> num_negative;     // outliers at once, after each tree
  std::vector<std::size_t> num_positive;

  void visit(ResultVisitor& visitor) const;
};

// Documents of the type by how often they are outliers, against the number of trees.
Hourglass study_hourglass(const OutlierTrace& trace, const Dataset& data, DocumentType type);
StudyTables study_tables(const Hourglass& study);

}  // namespace glassrank
