#include "glassrank/data/io/decompress.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr std::size_t kStep = std::size_t{1} << 20;
constexpr std::size_t kMostAtOnce = 16 * kStep;  // between two looks at the limit and at Ctrl-C
// Text of rows is packed to a fifth or a tenth; even rows of zeros rarely to less than a fiftieth.
constexpr std::uint64_t kUsualMost = std::uint64_t{1} << 30;
constexpr std::uint64_t kUsualRatio = 100;

[[noreturn]] void fail_truncated(const std::string& name, std::string_view kind) {
  fail(ErrorKind::kInput, "{}: the {} data ends too early; the file is truncated", name, kind);
}

// True when only padding is left; the next member otherwise starts at the front of `rest`.
bool is_padding(std::string_view rest) {
  return std::ranges::all_of(rest, [](char c) { return c == '\0'; });
}

}  // namespace

class Unpacker::Decoder {
 public:
  Decoder(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
  virtual ~Decoder() = default;
  // Some bytes of the text, or 0 when it has ended or `used_` has moved on without any.
  virtual std::size_t read_some(char* out, std::size_t size) = 0;
  bool is_done() const { return done_; }
  std::size_t num_used() const { return used_; }

 protected:
  std::string_view bytes_;
  std::string name_;
  std::size_t used_ = 0;
  bool done_ = false;
};

class Unpacker::Gzip final : public Unpacker::Decoder {
 public:
  Gzip(std::string_view bytes, std::string name) : Decoder(bytes, std::move(name)) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  std::size_t read_some(char* out, std::size_t size) override {
    // zlib counts in 32 bits.
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max() / 2;
    const std::size_t feed = std::min(bytes_.size() - used_, kMost);
    const std::size_t room = std::min(size, kMost);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + used_));
    stream_.avail_in = static_cast<uInt>(feed);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    used_ += feed - stream_.avail_in;
    const std::size_t written = room - stream_.avail_out;
    if (status == Z_STREAM_END) {
      end_member();
    } else if (status == Z_BUF_ERROR || (status == Z_OK && feed == 0 && written == 0)) {
      fail_truncated(name_, "gzip");
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK) {
      fail(ErrorKind::kInput, "{}: the gzip data is corrupt ({})", name_,
           stream_.msg != nullptr ? stream_.msg : "bad header");
    }
    return written;
  }

 private:
  void end_member() {
    const std::string_view rest = bytes_.substr(used_);
    done_ = is_padding(rest);
    if (done_) return;
    if (packing_of(rest) != Packing::kGzip) {
      fail(ErrorKind::kInput, "{}: {} bytes that are not gzip data follow the gzip data", name_,
           rest.size());
    }
    inflateReset(&stream_);
  }
  z_stream stream_{};
};

class Unpacker::Zstd final : public Unpacker::Decoder {
 public:
  Zstd(std::string_view bytes, std::string name)
      : Decoder(bytes, std::move(name)), context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
    if (!context_) throw std::bad_alloc();
    // Files made with --long=31 are welcome too.
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, sizeof(void*) == 8 ? 31 : 30);
  }

  std::size_t read_some(char* out, std::size_t size) override {
    ZSTD_inBuffer input{bytes_.data(), bytes_.size(), used_};
    ZSTD_outBuffer output{out, size, 0};
    const std::size_t left = ZSTD_decompressStream(context_.get(), &output, &input);
    if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_isError(left) != 0) {
      fail(ErrorKind::kInput, "{}: the zstd data is corrupt ({})", name_, ZSTD_getErrorName(left));
    }
    done_ = left == 0 && input.pos == input.size;
    if (!done_ && input.pos == used_ && output.pos == 0) fail_truncated(name_, "zstd");
    used_ = input.pos;
    return output.pos;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
};

Unpacker::Unpacker(std::string_view bytes, Packing packing, std::string name,
                   std::uint64_t most_unpacked)
    : name_(std::move(name)),
      most_unpacked_(most_unpacked > 0
                         ? most_unpacked
                         : std::max<std::uint64_t>(kUsualMost, kUsualRatio * bytes.size())) {
  if (packing == Packing::kGzip) {
    decoder_ = std::make_unique<Gzip>(bytes, name_);
  } else {
    decoder_ = std::make_unique<Zstd>(bytes, name_);
  }
}

Unpacker::~Unpacker() = default;

std::size_t Unpacker::read(char* out, std::size_t size) {
  std::size_t count = 0;
  while (count == 0 && !decoder_->is_done()) count = decoder_->read_some(out, size);
  num_unpacked_ += count;
  if (num_unpacked_ > most_unpacked_) {
    fail(ErrorKind::kInput,
         "{}: unpacks to more than {} bytes; if the file is sound, a greater --max-unpacked reads "
         "it",
         name_, most_unpacked_);
  }
  return count;
}

std::size_t Unpacker::num_used() const { return decoder_->num_used(); }

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
  Unpacker unpacker(bytes, packing, name, context.most_unpacked);
  GrowingText text;
  while (true) {
    context.check_stop();
    char* const place = text.reserve(kStep);
    const std::size_t count = unpacker.read(place, std::min(text.room(), kMostAtOnce));
    if (count == 0) return text;
    text.advance(count);
  }
}

}  // namespace glassrank
