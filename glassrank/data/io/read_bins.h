#pragma once
// From a data file to bins: what training reads when nothing needs the values themselves.
//
// Text goes through bin_stream.h: values live in blocks that are parsed, coded and summed for the
// digest while they are in the cache, never as a matrix. Bins and digest are bit for bit those of
//
//   data = load_dataset(path, read, context);   bin_dataset(data, bins, context);
//   dataset_digest(data, context);
//
// so models, provenance and checkpoints do not tell the two ways apart. That way itself is taken
// where a stream has no use: standard input, which can be read but once (other pipes are held as
// text and go through the stream); a cache, whose values stay in the mapped file; sample_rows = 0,
// which asks for all values at once.
// `path` may stand for several files, and several machines share the rows (shared_files.h).
// Memory: codes (1 or 2 bytes a value), the sampled rows (4 bytes x sample_rows x features) while
// reading, about 20 bytes a row. Compressed text is unpacked once and held meanwhile, as by
// load_dataset: unpacking it for each of three passes would take longer than loading. Scattered
// queries cost more: a block of the digest waits until its last row has come.

#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/bin_edges.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/io/formats.h"

namespace glassrank {

struct BinnedFile {
  BinnedDataset data;
  std::string digest;  // of the values (digest.h), not of the bins
};

// Throws like load_dataset and bin_dataset.
BinnedFile read_bins(const std::string& path, const ReadParams& read, const BinParams& bins,
                     const Context& context);

}  // namespace glassrank
