#pragma once
// A model in another program's format, with a proof that it scores the same. What `glassrank
// convert` does.

#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/evaluation/model_results.h"
#include "glassrank/models/io/formats.h"

namespace glassrank {

struct ConvertTask {
  std::string model;  // file
  std::string to;     // format
  std::string out;    // file
  std::string check;  // data to score with both models; empty: no check
  double tolerance = 1e-5;
  // Columns as LightGBM and XGBoost count them in LETOR text that they read themselves.
  bool for_text = false;
  ModelReadParams model_read = {};
  ReadParams read = {};
};

// Writes the model. Throws Error{kUsage} for a format that is not written, or not read where the
// check must read it; Error{kInput} for a model that the format cannot hold.
Conversion convert_model(const ConvertTask& task, const Context& context);

// For people.
std::string conversion_text(const Conversion& conversion);

}  // namespace glassrank
