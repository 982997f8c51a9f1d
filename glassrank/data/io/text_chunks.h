#pragma once
// A text cut into chunks of whole lines that can be read on several threads.
//
// Every line of a chunk ends in '\n', and kScanSlack bytes behind the chunk can be read, so that
// scanners may load whole words without asking where the text ends. To that end the last lines of
// the text live in a padded copy, which is the last chunk. The borders depend on the text and the
// chunk size alone, never on the threads.

#include <atomic>
#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/function_ref.h"
#include "glassrank/data/io/input_text.h"

namespace glassrank {

class TextChunks {
 public:
  struct Chunk {
    const char* begin;
    const char* end;  // right behind a '\n'
  };
  TextChunks(InputText input, std::size_t chunk_size);

  const std::string& name() const { return input_.name(); }
  std::size_t size() const { return borders_.size(); }
  Chunk operator[](std::size_t i) const;

  // Calls body(i) for the first `count` chunks, in any order, on the Context's threads, and lets go
  // of each chunk's memory after it. When bodies throw, the error of the lowest chunk is thrown:
  // the first error of the file, whatever the threads do.
  void run(const Context& context, std::size_t count, FunctionRef<void(std::size_t)> body) const;

 private:
  InputText input_;
  std::vector<std::size_t> borders_;  // of the chunks but the last, and where the last begins
  std::string tail_;                  // the last chunk, with padding behind it
  std::size_t tail_size_ = 0;
};

}  // namespace glassrank
