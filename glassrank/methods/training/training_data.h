#pragma once
// What a method trains on: rows, as feature values and as bins, and validation data.
//
// Values and bins are made when somebody asks for them, once: methods that share bins (the trials
// of a search, the bags of an ensemble, base and final model of a cleaning) get the same ones, and
// a method that needs bins alone never has the matrix of values in memory. Some rows of the data
// (select) share the whole's bins. Copies are cheap and share everything.
// Asking for values or bins is for one thread at a time: ask before trainings run side by side.
// Of several machines each has its own rows; whatever asks is collective.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/late_values.h"
#include "glassrank/data/row_table.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

class TrainingData {
 public:
  // Rows in memory.
  explicit TrainingData(Dataset train, std::optional<Dataset> valid = std::nullopt);
  // Rows whose matrix is made only if somebody asks for values.
  explicit TrainingData(std::shared_ptr<const LateValues> train);
  // A file, or several under a name with wildcards (data/io/shared_files.h): text, read into bins
  // or values as they are asked for, or a cache of bins, which must have been made with the
  // BinParams that are asked for. Throws as load_dataset does.
  struct File {
    std::string path;
    ReadParams read;
    BinParams bins;             // that the method will ask for first
    bool needs_values = false;  // somebody will ask for them, so they are read at once
  };
  TrainingData(const File& file, const Context& context);

  // What is known of the rows besides their values.
  const RowTable& table() const;
  std::size_t num_rows() const { return table().num_rows(); }
  std::size_t num_features() const { return table().num_features(); }
  std::span<const std::string> feature_names() const { return table().feature_names(); }
  const QueryGroups& queries() const { return table().queries; }
  std::span<const float> grades() const { return table().grades; }
  // Of all rows, as dataset_digest gives it.
  std::string digest(const Context& context) const;

  // Throws Error{kInput} where only bins are known.
  const Dataset& values(const Context& context) const;
  bool has_values() const;  // known, or to be had from the file
  // With thresholds of `start` among the cuts, where it is not null (training_bins.h).
  BinnedDataset bins(const BinParams& params, const Forest* start, const Context& context) const;

  const Dataset* valid() const { return valid_ ? &*valid_ : nullptr; }
  TrainingData with_valid(std::optional<Dataset> valid) const;
  // These rows of this data, ascending, in the bins of the whole; validation data as before.
  TrainingData select(std::vector<std::uint32_t> rows) const;
  // The data before any keep.
  TrainingData whole() const;

 private:
  struct Source;
  struct Subset;

  std::shared_ptr<Source> source_;
  std::shared_ptr<Subset> subset_;  // null: every row
  std::optional<Dataset> valid_;
};

}  // namespace glassrank
