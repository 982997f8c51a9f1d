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
  std::string data;  // file
  std::string out;   // file
  bool binned = false;
  // Reads the file twice (three times for bins) and never holds its values in memory.
  bool streaming = false;
  ReadParams read = {};
  BinParams bins = {};  // of binned
};

// Throws Error{kUsage} before anything is read when streamed values are to go to a pipe or device.
CacheResult make_cache(const CacheTask& task, const Context& context);

}  // namespace glassrank
