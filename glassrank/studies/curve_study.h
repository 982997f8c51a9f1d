#pragma once
// The study `curves`: a metric by the number of trees, of several trainings on several data sets in
// one picture, without training again: a boosted forest holds every shorter one. Learning curves
// that `train --learning-curve` wrote join them, which go on beyond the best round.
//
// Cost: a walk per document, model and tree, and the metric of every step.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {

struct CurveParams {
  std::string metric = "ndcg@10";
  std::vector<double> at;  // trees to print; empty: some evenly
  int every = 1;           // trees from a point to the next
  ConventionChoice convention = {};

  void visit(ParamVisitor& visitor);
  // Of `at`, ascending. Throws Error{kUsage}.
  std::vector<std::size_t> shown_trees() const;
};

// One line of the picture; points ascend.
struct MetricCurve {
  std::string name;  // of the model, and of the data where there are several
  std::vector<std::size_t> trees;
  std::vector<double> values;

  // The best value and its trees; the curve has points.
  double best() const;
  std::size_t best_trees() const;
  // The value after so many trees; NaN where there is no point.
  double at(std::size_t num_trees) const;
  void visit(ResultVisitor& visitor) const;
};

struct CurveStudy {
  std::string metric;
  std::vector<std::size_t> shown_trees;
  std::vector<MetricCurve> curves;

  void visit(ResultVisitor& visitor) const;
};

// Data as models see them, and what they are called: "valid"; the name is part of a curve's where
// there are several.
struct NamedData {
  std::string name;
  Dataset data;
};

// Every model on every data set, model by model.
CurveStudy study_curves(std::span<const NamedForest> models, std::span<const NamedData> data,
                        const CurveParams& params, const Context& context);

// The columns of this metric in a file of `train --learning-curve`: a curve "a train", "a valid"
// for each set it was watched on. Throws Error{kInput} naming file and line for another content.
std::vector<MetricCurve> read_learning_curves(std::string_view text, const std::string& file,
                                              const std::string& name, const std::string& metric);

// After curves were added: what is printed of all of them.
void choose_shown(CurveStudy& study, const CurveParams& params);

StudyTables study_tables(const CurveStudy& study);

}  // namespace glassrank
