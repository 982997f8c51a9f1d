#pragma once
// A number that stands for the content of ranking data: what a model's provenance and a checkpoint
// name their training data by.
//
// Covers features (bits of every float32), grades, weights, query ids and sizes, feature names: all
// that can change a model, and nothing else, so the same data read from text, CSV or a cache has
// the same digest. Against mix-ups, not against forgery (see io/checksum.h). Cost: one pass, in
// parallel. Of several machines it is the digest of the rows of all, as one machine would have
// them: collective.

#include <cstdint>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

// 16 hexadecimal digits.
std::string dataset_digest(const Dataset& data, const Context& context);
// The same of values that are not in memory any more: their checksum (io/checksum.h), row-major.
std::string dataset_digest(const RowTable& table, std::uint64_t values_checksum,
                           const Context& context);
// Of bins: codes and cut points in place of the values, so not the number of the data they are of.
std::string dataset_digest(const BinnedDataset& data, const Context& context);

}  // namespace glassrank
