#pragma once
// A data file as a stream of rows that can be passed over more than once, for data whose float
// matrix would not fit in memory.
//
// Life: 1. open; the constructor of an implementation scans the file once: rows, features, and
// everything that is small (grades, groups, names, ids, weights). 2. pass() any number of times:
// each pass parses the file in blocks of consecutive rows, several at once on the Context's
// threads. The in-memory reader is one pass into the matrix itself. Rows are numbered as in the
// table: those of one query together, also where the file has them in several places.

#include <cstddef>
#include <memory>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/row_table.h"

namespace glassrank {

// Receives the feature rows of one pass. Both functions are called concurrently for disjoint
// blocks, in any order; together the blocks cover every row exactly once.
class RowSink {
 public:
  virtual ~RowSink() = default;
  // Where to put rows [first_row, first_row + num_rows), row-major; stays valid until end_block.
  virtual float* begin_block(std::size_t first_row, std::size_t num_rows) = 0;
  virtual void end_block(std::size_t first_row, std::size_t num_rows, float* rows) = 0;
  // Rows it can do without need not be parsed: what their place holds is then unspecified.
  virtual bool wants(std::size_t /*row*/) const { return true; }
};

class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual std::shared_ptr<const RowTable> shared_table() const = 0;
  const RowTable& table() const { return *shared_table(); }
  virtual void pass(const Context& context, RowSink& sink) const = 0;
};

// Throws like load_dataset, and tells of queries that it groups. Standard input cannot be passed
// over twice: Error{kUsage}. Compressed text is unpacked by every pass, block by block; or once,
// and held in memory (Unpack::kNow), which is faster.
std::unique_ptr<RowSource> open_row_source(const std::string& path, const ReadParams& params,
                                           const Context& context, Unpack unpack = Unpack::kLater);

}  // namespace glassrank
