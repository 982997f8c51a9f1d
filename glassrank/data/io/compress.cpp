#include "glassrank/data/io/compress.h"

#include <new>

#include <zlib.h>
#include <zstd.h>

namespace glassrank {

std::string gzip_compress(std::string_view text) {
  constexpr int kGzipWrapper = 15 + 16;  // largest window, gzip header and checksum
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWrapper, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);  // cannot run out of room: deflateBound
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd_compress(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // the only error with enough room
  packed.resize(size);
  return packed;
}

}  // namespace glassrank
