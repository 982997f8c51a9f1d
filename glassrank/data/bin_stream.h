#pragma once
// Binning data whose float matrix does not fit in memory: two passes over its file.
//
// The first pass keeps only the sampled rows and chooses the cut points from them, the second turns
// each block of rows into codes as it is parsed. The result is the one bin_dataset() gives for the
// same data, parameters and seed.
// Memory: the codes, the sample (4 bytes x sample_rows x features, freed before the second pass)
// and the blocks being parsed.

#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

// Throws Error{kUsage} for sample_rows = 0: a sample of everything is the matrix itself.
BinnedDataset bin_stream(const RowSource& source, const BinParams& params, const Context& context);

}  // namespace glassrank
