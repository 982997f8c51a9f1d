#include "glassrank/data/make_cache.h"

#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/data/bin_stream.h"
#include "glassrank/data/io/cache/cache.h"

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
  return !task.binned && (task.read.grade_column.empty() || !is_table_file(task.data, task.read));
}

CacheResult write(const CacheTask& task, const Context& context) {
  ReadParams read = task.read;
  read.may_lack_grades = may_lack_grades(task);
  if (!task.streaming) {
    const Dataset data = load_dataset(task.data, read, context);
    if (task.binned) return write_bins(bin_dataset(data, task.bins, context), task, context);
    return size_of(data, data.queries(), write_cache(task.out, data, context));
  }
  const auto source = open_row_source(task.data, read, context);
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
  CacheResult result = write(task, context);
  result.out = task.out;
  result.kind = task.binned ? "bins" : "values";
  return result;
}

}  // namespace glassrank
