#pragma once
// Whether what several machines hold is one data set: checked before anything is made of it.
//
// The engine takes for granted that all machines have the same features and that queries are whole
// (shard.h). Where rows come from outside, as each machine's own arrays or its own copy of a file,
// nothing but these checks says so, and training would go on with columns that mean something else,
// or with halves of queries. Cost: names of features and 8 bytes a query go to every machine.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "glassrank/base/communicator.h"
#include "glassrank/base/function_ref.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

// Each machine's own rows. Collective; throws Error{kInput} on every machine where features or
// weights differ, or a query is on two machines. Returns the features of all, where this machine
// has not got them already:
// - a machine without rows may have any, and is to take those of the others;
// - where machines found other categories in their rows, the names are those of all rows, in the
//   order that one machine would give them (io/categories.h). `values` is only asked for then.
std::optional<Schema> check_shares(const RowTable& own, std::string_view what,
                                   FunctionRef<const Dataset&()> values,
                                   const Communicator& machines);

// The rows with the categories of `features`.
Dataset with_categories_of(const Schema& features, const Dataset& data);

// Each machine's copy of the whole, of which it takes some rows; `bins`: a number that stands for
// its cut points, if it has bins. Collective; throws Error{kInput} on every machine where copies
// differ. Values of features are not compared.
void check_copies(const RowTable& whole, std::uint64_t bins, const std::string& name,
                  const Communicator& machines);

}  // namespace glassrank
