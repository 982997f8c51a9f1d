#include "glassrank/data/digest.h"

#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/data/shard.h"

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

// What the digest covers of the rows of all machines, besides their values.
struct AllRows {
  std::vector<float> grades;
  std::vector<float> weights;
  std::vector<std::uint64_t> offsets;
  std::string ids;
};

AllRows rows_of_all(const RowTable& table, const Communicator& communicator) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t q = 0; q < table.queries.num_queries(); ++q) {
    sizes.push_back(table.queries.rows(q).size());
  }
  AllRows all{.grades = gather_values<float>(communicator, table.grades),
              .weights = gather_values<float>(communicator, table.weights),
              .offsets = {0},
              .ids = {}};
  for (const std::uint64_t size : gather_values<std::uint64_t>(communicator, sizes)) {
    all.offsets.push_back(all.offsets.back() + size);
  }
  const std::string ids = joined(table.queries.ids());
  const std::vector<char> of_all = gather_values<char>(communicator, ids);
  all.ids.assign(of_all.begin(), of_all.end());
  return all;
}

// `sums` are those of the matrix, in whatever parts; all the rest follows.
std::string digest_of(const RowTable& table, std::vector<std::uint64_t> sums,
                      const Context& context) {
  const AllRows all = rows_of_all(table, *context.communicator);
  const std::string names = joined(table.feature_names());
  const std::vector<std::span<const char>> ranges = {
      chars_of(std::span<const float>(all.grades)), chars_of(std::span<const float>(all.weights)),
      chars_of(std::span<const std::uint64_t>(all.offsets)), std::span(all.ids), std::span(names)};
  for (const std::uint64_t sum : checksums(ranges, context)) sums.push_back(sum);
  return fmt::format("{:016x}", checksum(chars_of(std::span<const std::uint64_t>(sums))));
}

// Of consecutive bytes that each machine has a part of, from `begin` on.
std::uint64_t checksum_together(std::span<const char> own, std::size_t begin, std::size_t size,
                                const Context& context) {
  constexpr std::size_t kPiece = std::size_t{1} << 24;
  PieceChecksum all(size, true);
  parallel_for(context, own.size(), kPiece, [&](std::size_t first, std::size_t last) {
    all.add(begin + first, own.subspan(first, last - first));
  });
  return all.sum(*context.communicator);
}

// Of the codes as they lie where one machine has all rows: column by column.
std::uint64_t checksum_codes(const BinnedDataset& data, const Context& context) {
  const Shard shard = shard_of(data.queries(), *context.communicator);
  const CodeLayout own(data.edges(), data.num_rows());
  const CodeLayout all(data.edges(), shard.num_rows);
  const auto codes = chars_of(data.codes());
  PieceChecksum sums(all.num_bytes(), true);
  const std::vector<char> zeros(64);
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    const std::size_t width = CodeLayout::is_wide(data.num_bins(f)) ? 2 : 1;
    sums.add(all.begin(f) + width * shard.first_row,
             codes.subspan(own.begin(f), own.end(f) - own.begin(f)));
    if (!context.communicator->is_first()) continue;
    sums.add(all.end(f), std::span(zeros).first(all.begin(f + 1) - all.end(f)));
  }
  return sums.sum(*context.communicator);
}

}  // namespace

std::string dataset_digest(const Dataset& data, const Context& context) {
  const std::span<const float> values(data.features().data(),
                                      data.num_rows() * data.num_features());
  if (context.communicator->is_alone()) {
    return digest_of(data.table(), checksums(std::vector{chars_of(values)}, context), context);
  }
  const Shard shard = shard_of(data.queries(), *context.communicator);
  const std::size_t row_bytes = data.num_features() * sizeof(float);
  return digest_of(data.table(),
                   {checksum_together(chars_of(values), row_bytes * shard.first_row,
                                      row_bytes * shard.num_rows, context)},
                   context);
}

std::string dataset_digest(const RowTable& table, std::uint64_t values_checksum,
                           const Context& context) {
  return digest_of(table, {values_checksum}, context);
}

std::string dataset_digest(const BinnedDataset& data, const Context& context) {
  const std::vector<std::span<const char>> ranges = {chars_of(data.edges().offsets()),
                                                     chars_of(data.edges().all_cuts())};
  std::vector<std::uint64_t> sums = checksums(ranges, context);
  const std::uint64_t codes = context.communicator->is_alone()
                                  ? checksums(std::vector{chars_of(data.codes())}, context).front()
                                  : checksum_codes(data, context);
  sums.insert(sums.begin(), codes);
  return digest_of(data.table(), std::move(sums), context);
}

}  // namespace glassrank
