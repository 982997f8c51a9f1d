#pragma once
// The records of a CSV file, in chunks that can be parsed apart, in any number of passes.
//
// A text in memory or a mapped file is cut once, where it lies. A packed file (Unpack::kLater) is
// unpacked and cut anew by every pass, and only the chunks in work are held: one for each thread,
// and the rest of a record. Chunks are the same in every pass, whatever the threads.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/function_ref.h"
#include "glassrank/data/io/csv/csv_cells.h"
#include "glassrank/data/io/csv/csv_columns.h"
#include "glassrank/data/io/input_text.h"

namespace glassrank {

// A chunk and what its places are counted in: a text that begins in line `first_line` of the file.
struct CsvPiece {
  CsvChunk chunk;
  std::string_view text;
  std::size_t first_line = 1;
};

class CsvChunks {
 public:
  CsvChunks(InputText input, char separator, std::size_t chunk_bytes);
  CsvChunks(const CsvChunks&) = delete;
  CsvChunks& operator=(const CsvChunks&) = delete;

  const std::string& name() const { return input_.name(); }
  // The beginning of the text, with all of the header and the first rows (csv_columns.h) in it.
  CsvText head() const { return {input_.name(), head_, separator_}; }
  // Says where the header ends; to be called before the functions below.
  void set_body(std::string_view body);

  // Of a text in memory; 0 for a packed one.
  std::size_t num_rows() const;
  // Calls use(i, piece) for every chunk, in any order, on the Context's threads. Of several errors
  // the one of the lowest chunk is thrown.
  using Use = FunctionRef<void(std::size_t, const CsvPiece&)>;
  void run(const Context& context, Use use) const;

 private:
  void run_in_memory(const Context& context, Use use) const;
  void run_packed(const Context& context, Use use) const;

  InputText input_;
  char separator_;
  std::size_t chunk_bytes_;
  std::string packed_head_;
  std::string_view head_;        // the whole text if it is not packed
  std::size_t body_offset_ = 0;  // in the text, behind a byte order mark
  std::vector<CsvChunk> chunks_;
};

}  // namespace glassrank
