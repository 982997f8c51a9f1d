#pragma once
// Whatever ranks, as Python holds it: a model, or a function of Python's that gives scores.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/explain/subject.h"
#include "glassrank/models/model.h"
#include "glassrank/models/scorer.h"
#include "python/bindings/data.h"

namespace glassrank::python {

class Ranker {
 public:
  Ranker(Model model, std::string ranker_name, std::string file_format)
      : name(std::move(ranker_name)), format(std::move(file_format)), model_(std::move(model)) {}
  // A black box. Empty names: columns go by their place.
  Ranker(std::shared_ptr<const Scorer> scorer, std::vector<std::string> feature_names,
         std::string ranker_name)
      : name(std::move(ranker_name)),
        scorer_(std::move(scorer)),
        feature_names_(std::move(feature_names)) {}

  std::string name;    // of its file, or what it is
  std::string format;  // of its file; empty: none

  // Null: a black box.
  const Model* model() const { return model_ ? &*model_ : nullptr; }
  // Throws Error{kUsage} for a black box: "edit needs a model".
  const Model& require_model(std::string_view what_needs_it) const;
  // Planned when it is first needed.
  const Scorer& scorer() const;
  // The rows with its features in their places.
  Dataset rows(const Data& data, const Context& context) const;
  // One a row; values that are not there as float32 are converted block by block.
  std::vector<double> scores(const Data& data, const Context& context) const;

 private:
  Dataset fitted(const Dataset& rows, const Data& data, const Context& context) const;

  std::optional<Model> model_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Scorer> scorer_;
  std::vector<std::string> feature_names_;
};

// A ranker with rows of its own width, for explanations.
struct RankedRows {
  Dataset data;
  Dataset background;
  Subject subject;  // borrows from the ranker and from here

  RankedRows(const Ranker& ranker, const Data& rows, const Data* background_rows,
             const Context& context);
  RankedRows(const RankedRows&) = delete;
  RankedRows& operator=(const RankedRows&) = delete;
};

}  // namespace glassrank::python
