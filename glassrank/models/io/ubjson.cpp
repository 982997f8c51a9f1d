#include <bit>
#include <cstring>
#include <optional>
#include <string>

#include "glassrank/base/error.h"
#include "glassrank/models/io/json_text.h"

namespace glassrank {
namespace {

class UbjsonReader {
 public:
  explicit UbjsonReader(std::string_view bytes) : bytes_(bytes) {}

  Json read_document() {
    Json value = read_value(read_marker(), 0);
    if (at_ != bytes_.size()) fail_here("there are bytes after the document's end");
    return value;
  }

 private:
  // What may stand between '[' or '{' and the first item: "$type" and "#count".
  struct Header {
    std::optional<char> type;
    std::optional<std::size_t> count;
  };

  [[noreturn]] void fail_here(std::string_view problem) const {
    fail(ErrorKind::kInput, "byte {}: {}", at_, problem);
  }

  std::string_view take(std::size_t size) {
    if (size > bytes_.size() - at_) fail_here("the file is cut off");
    const std::string_view taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }
  char peek() const {
    if (at_ == bytes_.size()) fail_here("the file is cut off");
    return bytes_[at_];
  }
  // The next marker; no-ops are passed over.
  char read_marker() {
    char marker = take(1)[0];
    while (marker == 'N') marker = take(1)[0];
    return marker;
  }

  // Big-endian.
  template <typename T>
  T read_number() {
    const std::string_view raw = take(sizeof(T));
    std::uint64_t bits = 0;
    for (const char c : raw) bits = bits << 8 | static_cast<unsigned char>(c);
    T value{};
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  }

  static bool is_integer(char marker) {
    return marker == 'i' || marker == 'U' || marker == 'I' || marker == 'l' || marker == 'L';
  }
  std::int64_t read_integer(char marker) {
    switch (marker) {
      case 'i':
        return read_number<std::int8_t>();
      case 'U':
        return read_number<std::uint8_t>();
      case 'I':
        return read_number<std::int16_t>();
      case 'l':
        return read_number<std::int32_t>();
      case 'L':
        return read_number<std::int64_t>();
      default:
        fail_here("an integer is expected");
    }
  }

  std::size_t read_length() {
    const std::int64_t length = read_integer(read_marker());
    // Everything counted takes at least a byte, so a longer count cannot be true.
    if (length < 0 || static_cast<std::uint64_t>(length) > bytes_.size() - at_) {
      fail(ErrorKind::kInput, "byte {}: a length of {} in a file with {} bytes left", at_, length,
           bytes_.size() - at_);
    }
    return static_cast<std::size_t>(length);
  }

  std::string read_text() { return std::string(take(read_length())); }

  Json read_value(char marker, int depth) {
    if (is_integer(marker)) return read_integer(marker);
    switch (marker) {
      case 'Z':
        return nullptr;
      case 'T':
        return true;
      case 'F':
        return false;
      case 'd':
        return read_number<float>();
      case 'D':
        return read_number<double>();
      case 'C':
        return std::string(take(1));
      case 'S':
        return read_text();
      case '[':
        return read_array(depth + 1);
      case '{':
        return read_object(depth + 1);
      default:
        fail(ErrorKind::kInput, "byte {}: unknown or unsupported marker 0x{:02x}", at_ - 1,
             static_cast<unsigned char>(marker));
    }
  }

  Header read_header(int depth) {
    if (depth > kMaxJsonDepth) {
      fail(ErrorKind::kInput, "JSON is nested deeper than {} levels", kMaxJsonDepth);
    }
    Header header;
    if (peek() == '$') {
      take(1);
      header.type = take(1)[0];
      if (!is_integer(*header.type) && *header.type != 'd' && *header.type != 'D') {
        fail_here("a typed container must hold numbers");
      }
      if (peek() != '#') fail_here("a typed container must have a count");
    }
    if (peek() == '#') {
      take(1);
      header.count = read_length();
    }
    return header;
  }

  Json read_array(int depth) {
    const Header header = read_header(depth);
    Json array = Json::array();
    while (header.count ? array.size() < *header.count : peek() != ']') {
      if (!header.type && peek() == 'N') {
        take(1);
        continue;
      }
      array.push_back(read_value(header.type ? *header.type : read_marker(), depth));
    }
    if (!header.count) take(1);
    return array;
  }

  Json read_object(int depth) {
    const Header header = read_header(depth);
    Json object = Json::object();
    std::size_t num_keys = 0;
    while (header.count ? num_keys < *header.count : peek() != '}') {
      if (peek() == 'N') {
        take(1);
        continue;
      }
      if (++num_keys > kMaxJsonKeys) {
        fail(ErrorKind::kInput, "a JSON object has more than {} keys", kMaxJsonKeys);
      }
      const std::string key = read_text();
      object[key] = read_value(header.type ? *header.type : read_marker(), depth);
    }
    if (!header.count) take(1);
    return object;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace

Json parse_ubjson(std::string_view bytes) { return UbjsonReader(bytes).read_document(); }

}  // namespace glassrank
