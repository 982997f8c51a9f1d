#pragma once
// Gzip and zstd data, from memory to memory, piece by piece or whole.
//
// Several gzip members or zstd frames in a row are one text, as the gzip and zstd programs have it;
// zero bytes after the last gzip member (tape padding) are ignored. Anything else that is not
// complete and sound is an Error{kInput} that names the file. So is a text of more than
// Context::most_unpacked bytes: a few kilobytes can unpack to more than any memory.

#include <cstddef>
#include <cstdint>
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

// Unpacks a text from its beginning to its end.
class Unpacker {
 public:
  // `packing` is not kNone. `bytes` stay alive. `name` is what errors call the input.
  // `most_unpacked` is that of a Context.
  Unpacker(std::string_view bytes, Packing packing, std::string name,
           std::uint64_t most_unpacked = 0);
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  // Puts the next bytes of the text at `out`: `size` (> 0) of them or fewer; 0 at the end.
  std::size_t read(char* out, std::size_t size);
  // How many of the packed bytes have been used.
  std::size_t num_used() const;

 private:
  class Decoder;
  class Gzip;
  class Zstd;
  std::unique_ptr<Decoder> decoder_;
  std::string name_;
  std::uint64_t most_unpacked_;
  std::uint64_t num_unpacked_ = 0;
};

// The whole text. The arguments are those of an Unpacker, the limit is that of the context.
GrowingText decompress(std::string_view bytes, Packing packing, const std::string& name,
                       const Context& context);

}  // namespace glassrank
