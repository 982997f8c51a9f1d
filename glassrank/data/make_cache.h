#pragma once
// A data file converted once into a binary file that opens in an instant (io/cache). What
// `glassrank data cache` does.

#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/bin_edges.h"
#include "glassrank/data/data_results.h"
#include "glassrank/data/io/formats.h"

namespace glassrank {

struct CacheTask {
  std::string data;  // file, or several with wildcards (io/shared_files.h)
  std::string out;   // file
  bool binned = false;
  // Reads the file twice (three times for bins) and never holds its values in memory.
  bool streaming = false;
  ReadParams read = {};
  BinParams bins = {};    // of binned
  std::string bins_like;  // of binned: a cache whose bins are taken instead; empty: none
};

// Throws Error{kUsage} before anything is read when streamed values are to go to a pipe or device.
// Parts of one data set that are cached with the bins of the first part can be trained from
// together: columns are matched with those of `bins_like` (match_columns.h), their categories get
// its codes.
CacheResult make_cache(const CacheTask& task, const Context& context);

}  // namespace glassrank
