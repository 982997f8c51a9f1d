#pragma once
// Data converted once, opened in an instant: a binary file that is mapped into memory.
//
// A cache holds either a Dataset (float matrix) or a BinnedDataset (codes and cut points), bit for
// bit as it was; cache_file.h says how. Opening verifies every byte and that the tables fit
// together; the big arrays are then used where they lie in the mapped file. A file that is
// overwritten in place while open is undefined; write_cache replaces files whole and is safe.

#include <cstddef>
#include <optional>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/bin_edges.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/io/cache/cache_file.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

// Whether the file begins like a cache (of any kind and version). False if it cannot be read.
bool is_cache_file(const std::string& path);

// Return the size of the file. Throw Error{kIo}; then no file is left.
std::size_t write_cache(const std::string& path, const Dataset& data, const Context& context);
// `params` are what the bins were made with.
std::size_t write_binned_cache(const std::string& path, const BinnedDataset& data,
                               const BinParams& params, const Context& context);
// The same bytes as from the Dataset, in one pass that never holds the matrix.
std::size_t write_cache(const std::string& path, const RowSource& source, const Context& context);

// Throw what CacheFile throws, and Error{kInput} when sections do not fit together.
Dataset open_cache(const std::string& path, const Context& context);
BinnedDataset open_binned_cache(const std::string& path, const Context& context);

// A cache of bins and what they were made with, which early versions did not write down.
struct BinnedCache {
  BinnedDataset data;
  std::optional<BinParams> params;
};
BinnedCache open_bins(const std::string& path, const Context& context);
// Whether the file begins like a cache of bins. False if it cannot be read.
bool is_binned_cache_file(const std::string& path);
// Throws Error{kUsage} when bins made as `wanted` says would be others.
void check_bin_params(const BinnedCache& cache, const BinParams& wanted, const std::string& path);

// The data in a verified file.
Dataset dataset_of(const CacheFile& file);
BinnedDataset binned_dataset_of(const CacheFile& file, const Context& context);

}  // namespace glassrank
