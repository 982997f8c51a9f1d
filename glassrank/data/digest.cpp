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

// `sums` are those of the matrix, in whatever parts; all the rest follows.
std::string digest_of(const RowTable& table, std::vector<std::uint64_t> sums,
                      const Context& context) {
  const std::vector<std::uint64_t> offsets(table.queries.offsets().begin(),
                                           table.queries.offsets().end());
  const std::string ids = joined(table.queries.ids());
  const std::string names = joined(table.feature_names());
  const std::vector<std::span<const char>> ranges = {
      chars_of(std::span<const float>(table.grades)),
      chars_of(std::span<const float>(table.weights)),
      chars_of(std::span<const std::uint64_t>(offsets)), std::span(ids), std::span(names)};
  for (const std::uint64_t sum : checksums(ranges, context)) sums.push_back(sum);
  return fmt::format("{:016x}", checksum(chars_of(std::span<const std::uint64_t>(sums))));
}

}  // namespace

std::string dataset_digest(const Dataset& data, const Context& context) {
  const std::span<const float> values(data.features().data(),
                                      data.num_rows() * data.num_features());
  return digest_of(data.table(), checksums(std::vector{chars_of(values)}, context), context);
}

std::string dataset_digest(const RowTable& table, std::uint64_t values_checksum,
                           const Context& context) {
  return digest_of(table, {values_checksum}, context);
}

std::string dataset_digest(const BinnedDataset& data, const Context& context) {
  const std::vector<std::span<const char>> ranges = {
      chars_of(data.codes()), chars_of(data.edges().offsets()), chars_of(data.edges().all_cuts())};
  return digest_of(data.table(), checksums(ranges, context), context);
}

}  // namespace glassrank
