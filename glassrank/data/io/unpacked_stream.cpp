#include "glassrank/data/io/unpacked_stream.h"

#include <algorithm>

#include "glassrank/data/io/text_place.h"

namespace glassrank {

UnpackedStream::UnpackedStream(const InputText& input)
    : input_(input),
      unpacker_(input.text(), input.packing(), input.name(), input.most_unpacked()) {}

void UnpackedStream::read_more(std::string& text, std::size_t size) {
  constexpr std::size_t kLeast = 4096;  // more than a byte order mark
  std::size_t filled = text.size();
  text.resize(std::max({size, filled + 1, kLeast}));
  while (filled < text.size() && !has_ended_) {
    const std::size_t count = unpacker_.read(text.data() + filled, text.size() - filled);
    has_ended_ = count == 0;
    filled += count;
  }
  text.resize(filled);
  if (is_first_) text.erase(0, text.size() - skip_byte_order_mark(text).size());
  is_first_ = false;
  input_.release(num_released_, unpacker_.num_used());
  num_released_ = unpacker_.num_used();
}

std::size_t UnpackedStream::take_num_used() {
  const std::size_t before = num_taken_;
  num_taken_ = unpacker_.num_used();
  return num_taken_ - before;
}

}  // namespace glassrank
