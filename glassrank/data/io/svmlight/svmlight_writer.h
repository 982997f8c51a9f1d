#pragma once
// Writes LETOR text block by block, for data that is made piece by piece and never whole in memory.
//
// The format is that of write_svmlight (io/formats.h), which is one append() and commit(). Rows are
// formatted and packed on all threads; the bytes do not depend on them. Names other than 1, 2, 3,
// ... go to PATH.names, weights to PATH.weight, as the reader expects them; one that stands there
// while the data has none is refused (side_files.h). Nothing appears under the target names before
// commit(); whatever can go wrong does so in finish() or earlier, so that a failure leaves the side
// files as they were too.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

  // The rows of `data` after those already written. Every call has the same features, and weights
  // in all calls or in none: Error{kUsage} otherwise. Error{kInput} if an id, a grade or a value
  // cannot be written so that it reads back.
  void append(const DatasetView& data, const Context& context);
  // Everything but the names; nothing can be appended after it.
  void finish();
  // finish(), if that was not done, then the data and after it the side files.
  void commit();

  std::size_t num_rows() const { return num_rows_; }

 private:
  void check_fits(const DatasetView& data);
  void make_side_file(std::optional<AtomicFile>& file, std::string_view suffix,
                      const std::string& text) const;

  std::string path_;
  WriteParams params_;
  AtomicFile file_;
  std::size_t num_rows_ = 0;
  std::optional<std::vector<std::string>> feature_names_;  // none before the first append
  std::string weights_text_;
  bool finished_ = false;
  std::optional<AtomicFile> names_file_;
  std::optional<AtomicFile> weights_file_;
};

// Data files that appear all together or not at all.
class SvmlightFiles {
 public:
  // Written and finished at once, so that only one is open at a time.
  void add(const std::string& path, const DatasetView& data, const WriteParams& params,
           const Context& context);
  void commit();

 private:
  std::vector<std::unique_ptr<SvmlightWriter>> writers_;
};

}  // namespace glassrank
