#pragma once
// Gzip and zstd data, whole, from memory to memory.
//
// Several gzip members or zstd frames in a row are one text, as the gzip and zstd programs have it;
// zero bytes after the last gzip member (tape padding) are ignored. Anything else that is not
// complete and sound is an Error{kInput} that names the file.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "glassrank/base/context.h"

namespace glassrank {

// A text that grows by reallocation: large blocks move by remapping, not by copying.
class GrowingText {
 public:
  // Room for at least `size` more bytes; returns where they go.
  char* reserve(std::size_t size);
  void advance(std::size_t size) { size_ += size; }
  std::size_t room() const { return capacity_ - size_; }
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(char* p) const;
  };
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

enum class Packing { kNone, kGzip, kZstd };

// By the first bytes.
Packing packing_of(std::string_view bytes);

// `packing` is not kNone. `name` is what errors call the input.
GrowingText decompress(std::string_view bytes, Packing packing, const std::string& name,
                       const Context& context);

}  // namespace glassrank
