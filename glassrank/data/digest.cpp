#include "glassrank/data/digest.h"

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

// Of the matrix, in whatever parts, and all the rest.
template <typename Data>
std::string digest_of(const Data& data, std::vector<std::span<const char>> ranges,
                      const Context& context) {
  const std::vector<std::uint64_t> offsets(data.queries().offsets().begin(),
                                           data.queries().offsets().end());
  const std::string ids = joined(data.queries().ids());
  const std::string names = joined(data.feature_names());
  ranges.push_back(chars_of(data.grades()));
  ranges.push_back(chars_of(data.weights()));
  ranges.push_back(chars_of(std::span<const std::uint64_t>(offsets)));
  ranges.push_back(chars_of(std::span<const char>(ids)));
  ranges.push_back(chars_of(std::span<const char>(names)));
  const std::vector<std::uint64_t> sums = checksums(ranges, context);
  return fmt::format("{:016x}", checksum(chars_of(std::span(sums))));
}

}  // namespace

std::string dataset_digest(const Dataset& data, const Context& context) {
  const std::span<const float> values(data.features().data(),
                                      data.num_rows() * data.num_features());
  return digest_of(data, {chars_of(values)}, context);
}

std::string dataset_digest(const BinnedDataset& data, const Context& context) {
  return digest_of(
      data,
      {chars_of(data.codes()), chars_of(data.edges().offsets()), chars_of(data.edges().all_cuts())},
      context);
}

}  // namespace glassrank
