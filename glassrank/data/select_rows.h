#pragma once
// Some rows of binned data, in the bins they have: what is left after cleaning, or one bag of
// queries.
//
// Cut points are shared, never found again; grades, weights, ids and queries go with their rows,
// and queries that lose every row disappear. Missing values are counted anew.
// Of several machines each selects among its own rows: collective.
// Cost: one pass over the codes, features in parallel; 1 or 2 bytes a value that is kept.

#include <cstdint>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/data/binned_dataset.h"

namespace glassrank {

// `rows` ascend strictly; throws Error{kUsage} otherwise.
BinnedDataset select_rows(const BinnedDataset& data, std::span<const std::uint32_t> rows,
                          const Context& context);

}  // namespace glassrank
