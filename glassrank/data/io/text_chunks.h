#pragma once
// A text cut into chunks of whole lines that can be read on several threads.
//
// Every line of a chunk ends in '\n', and kScanSlack bytes behind the chunk can be read, so that
// scanners may load whole words without asking where the text ends. The borders depend on the text
// and the chunk size alone, never on the threads.
//
// A text in memory or a mapped file is cut once, where it lies; its last lines live in a padded
// copy, which is the last chunk. A packed file (Unpack::kLater) is unpacked anew by every run, and
// only the chunks in work are held: one for each thread, and the rest of a line.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/function_ref.h"
#include "glassrank/data/io/input_text.h"

namespace glassrank {

struct TextChunk {
  const char* begin;
  const char* end;  // right behind a '\n'
};

class TextChunks {
 public:
  TextChunks(InputText input, std::size_t chunk_size);

  const std::string& name() const { return input_.name(); }

  // Calls body(i, chunk) for the first `count` chunks (fewer if there are fewer), in any order, on
  // the Context's threads, and lets go of each chunk's memory after it. When bodies throw, the
  // error of the lowest chunk is thrown: the first error of the file, whatever the threads do.
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  using Body = FunctionRef<void(std::size_t, TextChunk)>;
  void run(const Context& context, std::size_t count, Body body) const;

 private:
  TextChunk chunk(std::size_t i) const;
  void cut();
  void run_in_memory(const Context& context, std::size_t count, Body body) const;
  void run_packed(const Context& context, std::size_t count, Body body) const;

  InputText input_;
  std::size_t chunk_size_;
  std::vector<std::size_t> borders_;  // of the chunks but the last, and where the last begins
  std::string tail_;                  // the last chunk, with padding behind it
  std::size_t tail_size_ = 0;
};

}  // namespace glassrank
