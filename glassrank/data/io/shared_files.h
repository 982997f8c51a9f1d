#pragma once
// The door for data that several files hold, and that several machines share.
//
// A name with wildcards ("part-*.txt") stands for every file it matches, in the order of their
// names: one data set, the rows of the first file first. Queries are whole: none may go on in
// another file. Of several machines each gets consecutive queries, about as many rows as any other
// (shard.h): every machine scans all of the text for where queries begin, and reads the values of
// its own rows only; caches are mapped, and a machine keeps what it reads. What one machine
// cannot open, no machine goes on with (base/agree.h), nor with copies that differ
// (check_shares.h). One file on one machine is read as by load_dataset, open_row_source and
// open_bins.

#include <memory>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

// The files a name stands for: itself, or those it matches, sorted by their bytes. Throws
// Error{kIo} when it has wildcards and matches nothing.
std::vector<std::string> matching_files(const std::string& name);

// These rows of a source only, numbered from 0.
std::unique_ptr<RowSource> rows_within(std::unique_ptr<RowSource> source, RowRange rows);

// What the first file that a name stands for holds: how all are read depends on it.
enum class DataKind { kStream, kText, kValues, kBins };
// Collective: throws Error{kUsage} where it is another kind on another machine, Error{kIo} where a
// machine cannot read it.
DataKind shared_kind(const std::string& name, const ReadParams& params, const Context& context);

// This machine's rows of the files that `name` stands for. Collective.
Dataset load_shared(const std::string& name, const ReadParams& params, const Context& context);
std::unique_ptr<RowSource> open_shared(const std::string& name, const ReadParams& params,
                                       const Context& context, Unpack unpack = Unpack::kLater);
// Of caches of bins; all have the same cut points, or Error{kInput} is thrown.
BinnedCache open_shared_bins(const std::string& name, const Context& context);

// The rows of whole queries that machine `rank` of `size` gets: it begins with the first query that
// begins at or behind its share of the rows.
RowRange share_of_rows(const QueryGroups& queries, int rank, int size);

}  // namespace glassrank
