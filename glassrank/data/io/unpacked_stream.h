#pragma once
// A packed input text (Unpack::kLater), unpacked from its beginning as its reader asks for more.
// A byte order mark is left out.

#include <cstddef>
#include <string>

#include "glassrank/data/io/decompress.h"
#include "glassrank/data/io/input_text.h"

namespace glassrank {

class UnpackedStream {
 public:
  // `input` outlives it.
  explicit UnpackedStream(const InputText& input);

  // Appends to `text` until it has `size` bytes (at least one more than before), or to the end.
  // Lets go of the packed file's pages behind it. Throws like Unpacker.
  void read_more(std::string& text, std::size_t size);
  bool has_ended() const { return has_ended_; }
  // Packed bytes used since the last call, for progress.
  std::size_t take_num_used();

 private:
  const InputText& input_;
  Unpacker unpacker_;
  std::size_t num_released_ = 0;
  std::size_t num_taken_ = 0;
  bool is_first_ = true;
  bool has_ended_ = false;
};

}  // namespace glassrank
