#pragma once
// A piece of text as one complete gzip member or zstd frame; pieces in a row are one text.

#include <string>
#include <string_view>

namespace glassrank {

std::string gzip_compress(std::string_view text);
std::string zstd_compress(std::string_view text);

}  // namespace glassrank
