#include "glassrank/data/io/decompress.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

#include <zlib.h>
#include <zstd.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr std::size_t kStep = std::size_t{1} << 20;

[[noreturn]] void fail_truncated(const std::string& name, std::string_view kind) {
  fail(ErrorKind::kInput, "{}: the {} data ends too early; the file is truncated", name, kind);
}

class Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
};

// True when only padding is left; the next member otherwise starts at the front of `rest`.
bool is_padding(std::string_view rest) {
  return std::ranges::all_of(rest, [](char c) { return c == '\0'; });
}

GrowingText gunzip(std::string_view bytes, const std::string& name, const Context& context) {
  GrowingText text;
  Inflater inflater;
  z_stream& stream = inflater.stream();
  std::size_t used = 0;
  while (true) {
    context.check_stop();
    // zlib counts input in 32 bits.
    const std::size_t feed =
        std::min<std::size_t>(bytes.size() - used, std::numeric_limits<uInt>::max() / 2);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + used));
    stream.avail_in = static_cast<uInt>(feed);
    stream.next_out = reinterpret_cast<Bytef*>(text.reserve(kStep));
    const std::size_t room = std::min<std::size_t>(text.room(), std::numeric_limits<uInt>::max());
    stream.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream, Z_NO_FLUSH);
    text.advance(room - stream.avail_out);
    used += feed - stream.avail_in;
    if (status == Z_STREAM_END) {
      const std::string_view rest = bytes.substr(used);
      if (is_padding(rest)) return text;
      if (packing_of(rest) != Packing::kGzip) {
        fail(ErrorKind::kInput, "{}: {} bytes that are not gzip data follow the gzip data", name,
             rest.size());
      }
      inflateReset(&stream);
    } else if (status == Z_BUF_ERROR || (status == Z_OK && used == bytes.size() && feed == 0)) {
      fail_truncated(name, "gzip");
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK) {
      fail(ErrorKind::kInput, "{}: the gzip data is corrupt ({})", name,
           stream.msg != nullptr ? stream.msg : "bad header");
    }
  }
}

GrowingText unzstd(std::string_view bytes, const std::string& name, const Context& context) {
  GrowingText text;
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> decoder(ZSTD_createDCtx(),
                                                                     ZSTD_freeDCtx);
  if (!decoder) throw std::bad_alloc();
  // Files made with --long=31 are welcome too.
  ZSTD_DCtx_setParameter(decoder.get(), ZSTD_d_windowLogMax, sizeof(void*) == 8 ? 31 : 30);
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  while (true) {
    context.check_stop();
    char* place = text.reserve(kStep);
    ZSTD_outBuffer output{place, text.room(), 0};
    const std::size_t before = input.pos;
    const std::size_t left = ZSTD_decompressStream(decoder.get(), &output, &input);
    if (ZSTD_isError(left) != 0) {
      fail(ErrorKind::kInput, "{}: the zstd data is corrupt ({})", name, ZSTD_getErrorName(left));
    }
    text.advance(output.pos);
    if (left == 0 && input.pos == input.size) return text;
    if (input.pos == before && output.pos == 0) fail_truncated(name, "zstd");
  }
}

}  // namespace

void GrowingText::Free::operator()(char* p) const { std::free(p); }

char* GrowingText::reserve(std::size_t size) {
  if (size > room()) {
    const std::size_t wanted = std::max(size_ + size, capacity_ + capacity_ / 2);
    char* moved = static_cast<char*>(std::realloc(data_.get(), wanted));
    if (moved == nullptr) throw std::bad_alloc();
    static_cast<void>(data_.release());
    data_.reset(moved);
    capacity_ = wanted;
  }
  return data_.get() + size_;
}

Packing packing_of(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b")) return Packing::kGzip;
  if (bytes.starts_with("\x28\xb5\x2f\xfd")) return Packing::kZstd;
  // A skippable zstd frame, as parallel compressors write first.
  const bool skippable =
      bytes.size() >= 4 && (bytes[0] & 0xf0) == 0x50 && bytes.substr(1).starts_with("\x2a\x4d\x18");
  return skippable ? Packing::kZstd : Packing::kNone;
}

GrowingText decompress(std::string_view bytes, Packing packing, const std::string& name,
                       const Context& context) {
  return packing == Packing::kGzip ? gunzip(bytes, name, context) : unzstd(bytes, name, context);
}

}  // namespace glassrank
