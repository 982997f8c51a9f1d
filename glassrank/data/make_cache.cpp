#include "glassrank/data/make_cache.h"

#include <string>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/data/bin_stream.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/shared_files.h"
#include "glassrank/data/match_columns.h"

namespace glassrank {
namespace {

// Of a Dataset, a BinnedDataset or the table of either.
template <typename Data>
CacheResult size_of(const Data& data, const QueryGroups& queries, std::size_t num_bytes) {
  return {.out = {},
          .kind = {},
          .num_rows = data.num_rows(),
          .num_queries = queries.num_queries(),
          .num_features = data.num_features(),
          .num_bytes = num_bytes};
}

CacheResult write_bins(const BinnedDataset& data, const CacheTask& task, const Context& context) {
  return size_of(data, data.queries(), write_binned_cache(task.out, data, task.bins, context));
}

// Bins are for training. Of a table it must be said that it has none: a column of grades under an
// unusual name would become a feature.
bool may_lack_grades(const CacheTask& task) {
  if (task.binned) return false;
  const std::vector<std::string> files = matching_files(task.data);  // of one format
  return task.read.grade_column.empty() || !is_table_file(files.front(), task.read);
}

// How data with the columns of the other is read.
ReadParams read_like(const Schema& other, ReadParams read) {
  for (std::size_t f = 0; f < other.num_features(); ++f) {
    if (other.is_category(f)) read.categorical_if_there.push_back(other.feature_names()[f]);
  }
  return read;
}

// Rows that stay in their file cannot be put in order; only what LETOR text leaves out is added.
std::unique_ptr<RowSource> open_like(const WantedFeatures& wanted, const CacheTask& task,
                                     ReadParams read, const Context& context) {
  auto source = open_shared(task.data, read, context);
  if (source->table().num_features() < wanted.num_features && source->table().schema.padding()) {
    read.num_features = static_cast<int>(wanted.num_features);
    source = open_shared(task.data, read, context);
  }
  const Schema& schema = source->table().schema;
  const ColumnMatch match = match_columns(wanted, schema, match_rules(task.data, read));
  if (is_as_wanted(schema, wanted, match) && schema.num_features() == wanted.num_features) {
    return source;
  }
  fail(ErrorKind::kInput,
       "{} has columns or categories in another order than {}; without --streaming they are put "
       "in its order",
       task.data, wanted.who);
}

CacheResult write_like(const CacheTask& task, const Context& context) {
  const BinnedCache like = open_bins(task.bins_like, context);
  const Schema& schema = like.data.table().schema;
  const WantedFeatures wanted = features_of(schema, task.bins_like);
  const ReadParams read = read_like(schema, task.read);
  CacheTask own = task;
  own.bins = like.params.value_or(task.bins);
  const auto& edges = like.data.shared_edges();
  if (task.streaming) {
    const auto source = open_like(wanted, task, read, context);
    return write_bins(bin_stream_with(*source, edges, context), own, context);
  }
  const Dataset data =
      fit_to(wanted, load_shared(task.data, read, context), match_rules(task.data, read), context);
  return write_bins(bin_with(data, edges, context), own, context);
}

CacheResult write(const CacheTask& task, const Context& context) {
  if (!task.bins_like.empty()) return write_like(task, context);
  ReadParams read = task.read;
  read.may_lack_grades = may_lack_grades(task);
  if (!task.streaming) {
    const Dataset data = load_shared(task.data, read, context);
    if (task.binned) return write_bins(bin_dataset(data, task.bins, context), task, context);
    return size_of(data, data.queries(), write_cache(task.out, data, context));
  }
  const auto source = open_shared(task.data, read, context);
  if (task.binned) return write_bins(bin_stream(*source, task.bins, context), task, context);
  const RowTable& table = source->table();
  return size_of(table, table.queries, write_cache(task.out, *source, context));
}

}  // namespace

CacheResult make_cache(const CacheTask& task, const Context& context) {
  if (task.streaming && !task.binned && !is_regular_or_new(task.out)) {
    fail(ErrorKind::kUsage,
         "streaming writes the parts of a cache as they come, not in their order; {} is no regular "
         "file",
         task.out);
  }
  if (!task.bins_like.empty() && !task.binned) {
    fail(ErrorKind::kUsage, "--bins-like is for caches of bins: give --binned too");
  }
  CacheResult result = write(task, context);
  result.out = task.out;
  result.kind = task.binned ? "bins" : "values";
  return result;
}

}  // namespace glassrank
