#pragma once
// Writes LETOR text piece by piece, for data that is made or changed block by block.
//
//   grade qid:Q 1:v 2:v ... # document
//
// Values have the fewest digits that read back to the same float32; missing is "nan"; a value of 0
// is left out if `sparse`, except the last feature of the first row, which tells a reader how many
// features there are. Rows are formatted on all threads, the bytes do not depend on them. A path
// ending in .gz or .zst is compressed: each block of rows is a gzip member or zstd frame of its
// own. Names other than 1, 2, 3, ... go to PATH.names, weights to PATH.weight, as the reader
// expects. Nothing appears under the target names before commit().

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"

namespace glassrank {

class SvmlightWriter {
 public:
  // Throws Error{kIo} if the file cannot be made.
  SvmlightWriter(std::string path, const WriteParams& params);

  // The queries of `data` after those already written. Every call has the same features, and
  // weights in all calls or in none; throws Error{kUsage} otherwise.
  void append(const DatasetView& data, const Context& context);
  void commit();

  std::size_t num_rows() const { return num_rows_; }
  std::size_t num_bytes() const { return file_.size(); }

 private:
  void check_fits(const Dataset& data);

  std::string path_;
  WriteParams params_;
  AtomicFile file_;
  std::size_t num_rows_ = 0;
  std::vector<std::string> feature_names_;
  std::vector<float> weights_;
};

}  // namespace glassrank
