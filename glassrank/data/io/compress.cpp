#include "glassrank/data/io/compress.h"

#include <new>

#include <zlib.h>
#include <zstd.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

std::string gzip(const std::string& text) {
  constexpr int kGzipFormat = 16 + MAX_WBITS;
  constexpr int kDefaultMemory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipFormat, kDefaultMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::bad_alloc();
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress(out.data(), out.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  out.resize(size);
  return out;
}

}  // namespace

Compression compression_by_name(std::string_view path) {
  if (path.ends_with(".gz")) return Compression::kGzip;
  if (path.ends_with(".zst")) return Compression::kZstd;
  return Compression::kNone;
}

std::string compress(std::string text, Compression compression) {
  switch (compression) {
    case Compression::kGzip:
      return gzip(text);
    case Compression::kZstd:
      return zstd(text);
    case Compression::kNone:
      break;
  }
  return text;
}

}  // namespace glassrank
