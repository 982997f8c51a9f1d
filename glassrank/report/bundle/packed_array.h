#pragma once
// Many numbers as a short text: what lets thousands of documents with all their features and
// attributions fit into one page.
//
//   bytes = base64( zlib( all lowest bytes, then all second bytes, ... ) )       little end first
// Bytes of one place are alike from number to number, so that they are packed far better than the
// numbers one after the other. A browser unpacks it with what it has (atob, DecompressionStream).
// Whole numbers stay what they are; floats are float32, bit for bit.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "glassrank/base/result.h"

namespace glassrank {

struct PackedArray {
  std::string type;      // "u8", "u16", "u32", "i16", "f32"
  std::size_t size = 0;  // numbers
  std::string bytes;

  void visit(ResultVisitor& visitor) const;
};

PackedArray pack(std::span<const std::uint8_t> values);
PackedArray pack(std::span<const std::uint16_t> values);
PackedArray pack(std::span<const std::uint32_t> values);
PackedArray pack(std::span<const std::int16_t> values);
PackedArray pack(std::span<const float> values);
// Rounded to float32.
PackedArray pack(std::span<const double> values);

// What pack() was given: whole numbers and float32 fit a double. Throws Error{kInput} for what
// pack() does not make.
std::vector<double> unpack(const PackedArray& array);

// With padding.
std::string base64(std::string_view bytes);

}  // namespace glassrank
