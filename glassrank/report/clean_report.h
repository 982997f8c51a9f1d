#pragma once
// What `glassrank clean` says of the documents it dropped, for people, programs and a TSV file.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/cleaners/cleaner.h"
#include "glassrank/methods/cleaners/oddness.h"
#include "glassrank/methods/training/train_run.h"

namespace glassrank {

// Documents dropped, in the order of rows, and what speaks against each.
struct DroppedDocuments {
  const Dataset& data;
  const Cleaning& cleaning;
  std::vector<OddRow> odd = {};                        // one per document
  std::vector<std::size_t> lines = {};                 // of the file, from 1; one per document
  std::vector<std::size_t> rounds = {};                // of the base model; none without one
  std::vector<std::vector<std::uint32_t>> ranks = {};  // per document and round, from 0
};

// What speaks against the documents of a cleaning of files.train. `checkpoints` hold the base model
// that was followed, if there was one; `odd_features` are listed of each document.
DroppedDocuments describe_dropped(const Dataset& train, const Cleaning& cleaning,
                                  const TrainFiles& files, Checkpoints& checkpoints,
                                  std::size_t odd_features, const Context& context);

// One line a document, with a header: query, document, line, grade, the grade it looks like,
// evidence, a rank (from 1) for each round, the odd features.
std::string dropped_tsv(const DroppedDocuments& dropped);
// By grade, by query, and the most convincing documents: the largest evidence, of equal ones those
// that are so much closer to another grade's typical values.
std::string dropped_text(const DroppedDocuments& dropped);

struct OddFeatureReport {
  std::string feature;
  OddFeature odd;

  void visit(ResultVisitor& visitor) const;
};

struct RankAtRound {
  std::size_t round = 0;
  std::size_t rank = 0;  // from 1

  void visit(ResultVisitor& visitor) const;
};

struct DroppedDocument {
  std::string query;
  std::string document;
  std::size_t line = 0;  // of the file, from 1
  float grade = 0;
  float looks_like = 0;  // the grade whose typical values are closest
  float evidence = 0;
  std::vector<RankAtRound> ranks;
  std::vector<OddFeatureReport> odd_features;

  void visit(ResultVisitor& visitor) const;
};

struct DroppedOfGrade {
  float grade = 0;
  std::size_t num_rows = 0;
  std::size_t num_dropped = 0;

  void visit(ResultVisitor& visitor) const;
};

// What --json prints.
struct CleanReport {
  std::string out;                  // the cleaned data
  std::optional<std::string> list;  // the documents dropped
  std::string summary;
  std::size_t num_rows = 0;
  std::size_t num_dropped = 0;
  std::size_t num_queries = 0;
  std::size_t num_queries_touched = 0;  // that lose a document
  std::size_t num_queries_emptied = 0;  // that lose all
  std::vector<DroppedOfGrade> grades;
  std::string evidence;  // "outlier_share", "anomaly_score"
  std::vector<DroppedDocument> most_convincing;

  void visit(ResultVisitor& visitor) const;
};

// The files are for the caller to name.
CleanReport clean_report(const DroppedDocuments& dropped);

}  // namespace glassrank
