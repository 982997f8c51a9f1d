#include "glassrank/data/digest.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "glassrank/data/io/checksum.h"

namespace glassrank {
namespace {

template <typename T>
std::span<const char> chars_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// Each text with its length before it: {"a", "bc"} and {"ab", "c"} differ.
std::string joined(std::span<const std::string> texts) {
  std::string all;
  for (const std::string& text : texts) all += fmt::format("{}:{}", text.size(), text);
  return all;
}

}  // namespace

std::string dataset_digest(const Dataset& data, const Context& context) {
  const std::vector<std::uint64_t> offsets(data.queries().offsets().begin(),
                                           data.queries().offsets().end());
  const std::string ids = joined(data.queries().ids());
  const std::string names = joined(data.feature_names());
  const std::span<const float> values(data.features().data(),
                                      data.num_rows() * data.num_features());
  const std::array<std::span<const char>, 6> ranges = {
      chars_of(values),
      chars_of(data.grades()),
      chars_of(data.weights()),
      chars_of(std::span<const std::uint64_t>(offsets)),
      chars_of(std::span<const char>(ids)),
      chars_of(std::span<const char>(names))};
  const std::vector<std::uint64_t> sums = checksums(ranges, context);
  return fmt::format("{:016x}", checksum(chars_of(std::span(sums))));
}

}  // namespace glassrank
