#pragma once
// Binning data whose float matrix does not fit in memory: two passes over its file.
//
// The first pass parses only the sampled rows, from which the cut points are chosen; the second
// parses the others and turns each block of rows into codes while it is in the cache. (There is no
// second pass when the sample is all of a small file.) Text is parsed once in all, and less memory
// is touched than by way of the matrix: this is also the fastest way from text to bins. The result
// is the one bin_dataset() gives for the same data, parameters and seed. Memory: the codes, the
// sample (4 bytes x sample_rows x features) and the blocks being parsed.

#include <memory>

#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

// Throws Error{kUsage} for sample_rows = 0: a sample of everything is the matrix itself. `values`,
// if there is one, is given every value's bytes, row-major: what the data's digest is made of.
BinnedDataset bin_stream(const RowSource& source, const BinParams& params, const Context& context,
                         PieceChecksum* values = nullptr);

// In bins that others have; one pass. Throws Error{kInput} if the number of features differs.
BinnedDataset bin_stream_with(const RowSource& source, std::shared_ptr<const BinEdges> edges,
                              const Context& context);

}  // namespace glassrank
