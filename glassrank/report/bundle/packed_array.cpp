#include "glassrank/report/bundle/packed_array.h"

#include <array>
#include <cstring>
#include <type_traits>
#include <vector>

#include <zlib.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()),
                Z_BEST_COMPRESSION) != Z_OK) {
    throw std::bad_alloc();
  }
  out.resize(size);
  return out;
}

template <typename T>
std::string planes(std::span<const T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::array<char, sizeof(T)> parts;
    std::memcpy(parts.data(), &values[i], sizeof(T));
    for (std::size_t b = 0; b < sizeof(T); ++b) bytes[b * values.size() + i] = parts[b];
  }
  return bytes;
}

template <typename T>
PackedArray packed(std::string type, std::span<const T> values) {
  return {
      .type = std::move(type), .size = values.size(), .bytes = base64(deflated(planes(values)))};
}

std::string from_base64(std::string_view text) {
  std::array<int, 256> digit;
  digit.fill(-1);
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    digit[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
  }
  std::string bytes;
  std::uint32_t bits = 0;
  int num_bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int value = digit[static_cast<unsigned char>(c)];
    if (value < 0) fail(ErrorKind::kInput, "packed numbers: '{}' is no digit of base64", c);
    bits = bits << 6U | static_cast<std::uint32_t>(value);
    num_bits += 6;
    if (num_bits >= 8) {
      num_bits -= 8;
      bytes += static_cast<char>(bits >> static_cast<unsigned>(num_bits) & 0xFFU);
    }
  }
  return bytes;
}

template <typename T>
std::vector<double> values_of(const std::string& bytes, std::size_t size) {
  std::vector<double> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    std::array<char, sizeof(T)> parts;
    for (std::size_t b = 0; b < sizeof(T); ++b) parts[b] = bytes[b * size + i];
    T value;
    std::memcpy(&value, parts.data(), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return values;
}

std::size_t width_of(const std::string& type) {
  if (type == "u8") return 1;
  if (type == "u16" || type == "i16") return 2;
  if (type == "u32" || type == "f32") return 4;
  fail(ErrorKind::kInput, "packed numbers: no type '{}'", type);
}

}  // namespace

void PackedArray::visit(ResultVisitor& visitor) const {
  visitor.field("type", type, "u8, u16, u32, i16 or f32");
  visitor.field("size", size, "numbers");
  visitor.field("bytes", bytes,
                "base64 of zlib of the numbers' lowest bytes, then their second bytes, and so on");
}

PackedArray pack(std::span<const std::uint8_t> values) { return packed("u8", values); }
PackedArray pack(std::span<const std::uint16_t> values) { return packed("u16", values); }
PackedArray pack(std::span<const std::uint32_t> values) { return packed("u32", values); }
PackedArray pack(std::span<const std::int16_t> values) { return packed("i16", values); }
PackedArray pack(std::span<const float> values) { return packed("f32", values); }
PackedArray pack(std::span<const double> values) {
  const std::vector<float> floats(values.begin(), values.end());
  return pack(std::span<const float>(floats));
}

std::vector<double> unpack(const PackedArray& array) {
  const std::string bytes = from_base64(array.bytes);
  const std::size_t expected = array.size * width_of(array.type);
  std::string plain(expected + 1, '\0');  // room for one more: what is too long is seen
  auto size = static_cast<uLongf>(plain.size());
  if (uncompress(reinterpret_cast<Bytef*>(plain.data()), &size,
                 reinterpret_cast<const Bytef*>(bytes.data()),
                 static_cast<uLong>(bytes.size())) != Z_OK ||
      size != expected) {
    fail(ErrorKind::kInput, "packed numbers: not {} numbers of type {}", array.size, array.type);
  }
  if (array.type == "u8") return values_of<std::uint8_t>(plain, array.size);
  if (array.type == "u16") return values_of<std::uint16_t>(plain, array.size);
  if (array.type == "u32") return values_of<std::uint32_t>(plain, array.size);
  if (array.type == "i16") return values_of<std::int16_t>(plain, array.size);
  return values_of<float>(plain, array.size);
}

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      bits = bits << 8U | (i + b < bytes.size() ? static_cast<unsigned char>(bytes[i + b]) : 0U);
    }
    for (std::size_t d = 0; d < 4; ++d) {
      text += i + d > bytes.size() ? '=' : kDigits[bits >> (18U - 6U * d) & 63U];
    }
  }
  return text;
}

}  // namespace glassrank
