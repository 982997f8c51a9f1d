#pragma once
// The study `leaf-scores`: what each model's trees give to three groups of documents
// (leaf_scores.h): relevant ones at the top, negative outliers, and the other negatives. The first
// model decides who belongs to them.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/studies/leaf_scores.h"
#include "glassrank/studies/outlier_options.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {

struct LeafScoreParams {
  int start = 1;  // first tree of the window of outliers
  int end = 0;    // last tree; 0: of the first model
  std::vector<double> trees = {1, 10, 20, 30, 40, 50};
  int leaves = 0;
  OutlierOptions outliers = {};

  void visit(ParamVisitor& visitor);
  // The trees to show, ascending. Throws Error{kUsage}.
  std::vector<std::size_t> shown_trees() const;
};

struct GroupSize {
  std::string group;  // "P_k", "O-", "N"
  std::size_t num_rows = 0;

  void visit(ResultVisitor& visitor) const;
};

struct ModelLeafScores {
  std::string model;
  LeafScores scores;

  void visit(ResultVisitor& visitor) const;
};

struct LeafScoreStudy {
  std::vector<std::size_t> shown_trees;  // beyond a model's trees there is nothing to show
  int num_leaves = 0;                    // averaged; 0: 7.5 % of a tree's
  int cutoff = 0;
  std::vector<GroupSize> groups;
  std::vector<ModelLeafScores> models;

  void visit(ResultVisitor& visitor) const;
};

LeafScoreStudy study_leaf_scores(std::span<const NamedForest> models, const Dataset& data,
                                 const LeafScoreParams& params, const Context& context);
StudyTables study_tables(const LeafScoreStudy& study);

}  // namespace glassrank
