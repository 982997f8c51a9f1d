#pragma once
// What the commands on models report: scores, conversions, edits.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/evaluation/score_parity.h"

namespace glassrank {

// Of `predict`.
struct ModelScores {
  std::string model;
  std::vector<double> scores;  // in the order of the data file

  void visit(ResultVisitor& visitor) const;
};
struct Prediction {
  std::size_t num_rows = 0;
  std::size_t num_queries = 0;
  std::optional<std::string> out;             // the file, if there is one,
  std::optional<std::vector<double>> scores;  // or else the scores, in the order of the data file,
  std::vector<ModelScores> models;            // or those of several models

  void visit(ResultVisitor& visitor) const;
};

// Of `convert`.
struct Conversion {
  std::string out;
  std::string to;
  std::string parts;  // "trees", "effects"
  std::size_t num_parts = 0;
  std::optional<ScoreParity> check;       // of the models, both summed in double
  std::optional<ScoreParity> in_float32;  // and of the model written, summed as its program does

  void visit(ResultVisitor& visitor) const;
};

// Of `edit`: one edit, measured where there are data.
struct EditStep {
  std::string edit;
  std::optional<double> mean;
  std::optional<double> change;
  std::optional<double> p;

  void visit(ResultVisitor& visitor) const;
};
struct EditReport {
  std::string out;
  std::string to;
  std::optional<std::string> metric;
  std::optional<double> mean;  // before the first edit
  std::vector<EditStep> edits;

  void visit(ResultVisitor& visitor) const;
};

}  // namespace glassrank
