#pragma once
// Compressing text on the way out: each piece becomes a complete gzip member or zstd frame. Readers
// join them again (decompress.h, and the gzip and zstd programs), so pieces can be made on several
// threads and the bytes do not depend on how many.

#include <string>
#include <string_view>

namespace glassrank {

enum class Compression { kNone, kGzip, kZstd };

// By the ending of a file's name: .gz, .zst or anything else.
Compression compression_by_name(std::string_view path);

std::string compress(std::string text, Compression compression);

}  // namespace glassrank
