#pragma once
// The study `leaf-scores`: what each model's trees give to three groups of documents
// (studies/leaf_scores.h).

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "glassrank/report/studies/study_result.h"
#include "glassrank/studies/leaf_scores.h"

namespace glassrank {

struct ModelLeafScores {
  std::string model;
  LeafScores scores;
};

// `shown_trees` are numbers of trees, ascending; those beyond a model's trees stay empty.
StudyResult leaf_score_study(const std::vector<ModelLeafScores>& models,
                             std::span<const DocumentGroup> groups,
                             std::span<const std::size_t> shown_trees);

}  // namespace glassrank
