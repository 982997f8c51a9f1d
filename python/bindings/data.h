#pragma once
// Ranking data as Python holds it: rows with the name they go by, and the bins that trainings on
// them share.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/methods/training/training_data.h"

namespace glassrank::python {

// The file that provenance and messages name, or this.
inline constexpr const char* kNoFile = "memory";

class Data {
 public:
  Data(Dataset data, std::string data_name, ReadParams as_read)
      : rows(std::move(data)), name(std::move(data_name)), read(std::move(as_read)) {}

  Dataset rows;
  std::string name;
  ReadParams read;  // as it was read

  // Rows and bins for one training at a time; a second one at the same time has bins of its own.
  struct Training {
    TrainingData data;
    std::unique_lock<std::mutex> lock;
  };
  Training training() const {
    std::unique_lock lock(*mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return {TrainingData(rows), {}};
    if (!*shared_) shared_->emplace(rows);
    return {**shared_, std::move(lock)};
  }
  // The rules by which its columns meet the features of a model or of other data.
  MatchRules rules() const { return match_rules(name, read); }

 private:
  std::shared_ptr<std::mutex> mutex_ = std::make_shared<std::mutex>();
  std::shared_ptr<std::optional<TrainingData>> shared_ =
      std::make_shared<std::optional<TrainingData>>();
};

}  // namespace glassrank::python
