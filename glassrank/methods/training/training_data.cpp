#include "glassrank/methods/training/training_data.h"

#include <algorithm>
#include <utility>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/base/params.h"
#include "glassrank/data/bin_stream.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/read_bins.h"
#include "glassrank/data/io/shared_files.h"
#include "glassrank/data/select_rows.h"
#include "glassrank/methods/lambdamart/training_bins.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostBins = 3;

// Equal for equal parameters.
std::string key_of(const BinParams& params) { return toml_text(list_params(params)); }

}  // namespace

// All rows. What was made is kept.
struct TrainingData::Source {
  File file;                               // without a path: rows in memory
  std::shared_ptr<const LateValues> late;  // without a path and values
  std::optional<Dataset> values;
  std::optional<BinnedCache> cache;
  std::vector<std::pair<std::string, BinnedDataset>> bins;  // by parameters, the last one last
  std::string digest;

  const BinnedDataset* find(const std::string& key) const {
    const auto found = std::ranges::find(bins, key, &std::pair<std::string, BinnedDataset>::first);
    return found == bins.end() ? nullptr : &found->second;
  }
};

struct TrainingData::Subset {
  std::vector<std::uint32_t> rows;
  std::optional<Dataset> values;
  // Of the bins asked for last; those of a second kind are made again when they are needed.
  std::string key;
  std::optional<BinnedDataset> bins;
  RowTable table;
};

TrainingData::TrainingData(Dataset train, std::optional<Dataset> valid)
    : source_(std::make_shared<Source>()), valid_(std::move(valid)) {
  source_->values = std::move(train);
}

TrainingData::TrainingData(std::shared_ptr<const LateValues> train)
    : source_(std::make_shared<Source>()) {
  if (train->source() == nullptr) {
    source_->values = train->get({});
  } else {
    source_->late = std::move(train);
  }
}

TrainingData::TrainingData(const File& file, const Context& context)
    : source_(std::make_shared<Source>()) {
  Source& source = *source_;
  source.file = file;
  if (shared_kind(file.path, file.read, context) == DataKind::kBins) {
    source.cache = open_shared_bins(file.path, context);
    return;
  }
  if (file.needs_values || file.path == "-") {
    source.values = load_shared(file.path, file.read, context);
    return;
  }
  BinnedFile read = read_bins(file.path, file.read, file.bins, context);
  source.digest = std::move(read.digest);
  source.bins.emplace_back(key_of(file.bins), std::move(read.data));
}

const RowTable& TrainingData::table() const {
  if (subset_) return subset_->table;
  if (source_->values) return source_->values->table();
  if (source_->late) return source_->late->table();
  return source_->cache ? source_->cache->data.table() : source_->bins.front().second.table();
}

std::string TrainingData::digest(const Context& context) const {
  Source& source = *source_;
  if (source.digest.empty()) {
    source.digest = source.values ? dataset_digest(*source.values, context)
                    : source.late ? source.late->digest(context)
                                  : dataset_digest(source.cache->data, context);
  }
  return source.digest;
}

bool TrainingData::has_values() const { return !source_->cache; }

const Dataset& TrainingData::values(const Context& context) const {
  Source& source = *source_;
  if (source.cache) {
    fail(ErrorKind::kInput,
         "{}: the cache holds bins, not feature values; make one of values with `glassrank data "
         "cache` without --binned",
         source.file.path);
  }
  if (!source.values) {
    source.values = source.late ? source.late->get(context)
                                : load_shared(source.file.path, source.file.read, context);
  }
  if (!subset_) return *source.values;
  if (!subset_->values) subset_->values = DatasetView(*source.values, subset_->rows).materialise();
  return *subset_->values;
}

BinnedDataset TrainingData::bins(const BinParams& params, const Forest* start,
                                 const Context& context) const {
  Source& source = *source_;
  std::string key = key_of(params);
  if (start != nullptr) key += "with a start model";  // one start a training
  const auto all = [&]() -> BinnedDataset {
    if (source.cache) {
      check_bin_params(*source.cache, params, source.file.path);
      return bin_for_training(source.cache->data, start);
    }
    if (const BinnedDataset* found = source.find(key)) return *found;
    const ColumnSource* const columns =
        source.late && !source.values ? source.late->source() : nullptr;
    bool streams = columns != nullptr && start == nullptr && params.sample_rows != 0;
    // All machines in the same way: one may have a matrix where another has columns.
    if (source.file.path.empty()) streams = !any_machine(*context.communicator, !streams);
    if (streams) {
      source.bins.emplace_back(key, bin_stream(*columns, params, context));
      return source.bins.back().second;
    }
    source.bins.emplace_back(key,
                             bin_for_training(whole().values(context), params, start, context));
    return source.bins.back().second;
  };
  if (!subset_) return all();
  if (!subset_->bins || subset_->key != key) {
    subset_->bins = select_rows(all(), subset_->rows, context);
    subset_->key = key;
  }
  return *subset_->bins;
}

TrainingData TrainingData::with_valid(std::optional<Dataset> valid) const {
  TrainingData data = *this;
  data.valid_ = std::move(valid);
  return data;
}

TrainingData TrainingData::select(std::vector<std::uint32_t> rows) const {
  TrainingData kept = *this;
  kept.subset_ = std::make_shared<Subset>();
  kept.subset_->table = select_rows(table(), rows);
  if (subset_) {
    for (std::uint32_t& row : rows) row = subset_->rows[row];
  }
  kept.subset_->rows = std::move(rows);
  return kept;
}

TrainingData TrainingData::whole() const {
  TrainingData data = *this;
  data.subset_ = nullptr;
  return data;
}

}  // namespace glassrank
