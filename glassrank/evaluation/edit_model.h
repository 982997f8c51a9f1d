#pragma once
// Edits of an additive model (models/gam/gam_edit.h), one after the other, each measured on data
// where there are some. What `glassrank edit` does.

#include <cstdint>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/evaluation/model_results.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/models/gam/gam_edit.h"
#include "glassrank/models/model.h"

namespace glassrank {

struct EditTask {
  std::vector<GamEdit> edits;
  std::string model_name;         // for messages and records
  const Dataset* data = nullptr;  // judged documents; null: nothing is measured
  std::string data_name;
  std::string metric = "ndcg@10";
  std::uint64_t permutations = 100'000;  // of Fisher's test of every edit
  Convention convention = {};
};

struct EditedModel {
  Model model;        // with the edits, and what they did, in its provenance
  EditReport report;  // without `out` and `to`, which are the caller's
};

// The model must be additive. Cells without weights get those of the data's rows. Throws
// Error{kUsage} for an edit that the model does not allow, before any is measured; Error{kInput}
// when all queries of the data are skipped.
EditedModel edit_model(const Model& model, const EditTask& task, const Context& context);

// For people: a line an edit, where they were measured, and where the model went.
std::string edit_text(const EditReport& report);

}  // namespace glassrank
