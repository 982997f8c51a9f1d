#pragma once
// Ranking data as Python holds it: rows with the name they go by, and the bins that trainings on
// them share. Values of other types than float32 stay where Python has them (late_values.h).

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/late_values.h"
#include "glassrank/methods/training/training_data.h"

namespace glassrank::python {

// The file that provenance and messages name, or this.
inline constexpr const char* kNoFile = "memory";

class Data {
 public:
  Data(std::shared_ptr<const LateValues> values, std::string data_name, ReadParams as_read)
      : name(std::move(data_name)), read(std::move(as_read)), values_(std::move(values)) {}
  Data(Dataset data, std::string data_name, ReadParams as_read)
      : Data(std::make_shared<const LateValues>(std::move(data)), std::move(data_name),
             std::move(as_read)) {}

  std::string name;
  ReadParams read;  // as it was read
  // False: queries are numbered, because nobody gave them ids.
  bool has_query_ids = true;

  const RowTable& table() const { return values_->table(); }
  // As float32; made at the first call where the caller's values are of another type.
  const Dataset& rows(const Context& context = {}) const { return values_->get(context); }
  const LateValues& values() const { return *values_; }

  // The same rows under other ids.
  Data with_queries(QueryGroups queries) const {
    RowTable table = this->table();
    table.queries = std::move(queries);
    return {values_->with_table(std::make_shared<const RowTable>(std::move(table))), name, read};
  }

  // Rows and bins for one training at a time; a second one at the same time has bins of its own.
  struct Training {
    TrainingData data;
    std::unique_lock<std::mutex> lock;
  };
  // Several machines share nothing with earlier trainings: bins and digest are those of all rows.
  Training training(const Context& context) const {
    if (!context.communicator->is_alone()) return {TrainingData(values_), {}};
    std::unique_lock lock(*mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return {TrainingData(values_), {}};
    if (!*shared_) shared_->emplace(values_);
    return {**shared_, std::move(lock)};
  }
  // The rules by which its columns meet the features of a model or of other data.
  MatchRules rules() const { return match_rules(name, read); }

 private:
  std::shared_ptr<const LateValues> values_;
  std::shared_ptr<std::mutex> mutex_ = std::make_shared<std::mutex>();
  std::shared_ptr<std::optional<TrainingData>> shared_ =
      std::make_shared<std::optional<TrainingData>>();
};

}  // namespace glassrank::python
