#include "glassrank/data/io/column_source.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/data/bin_stream.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/io/late_values.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

constexpr std::size_t kRows = 5000;
constexpr std::size_t kFeatures = 7;

// Values that no float32 has, some of them missing.
double value_at(std::size_t row, std::size_t feature) {
  if (row % 97 == feature) return std::nan("");
  return std::sin(static_cast<double>(row * kFeatures + feature)) * 1000 + 1e-9;
}

std::shared_ptr<const RowTable> table_of(std::size_t num_queries) {
  RowTable table;
  std::vector<std::string> names;
  for (std::size_t f = 0; f < kFeatures; ++f) names.push_back("f" + std::to_string(f));
  table.schema = Schema::of_features(std::move(names));
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < num_queries; ++q) ids.push_back(std::to_string(q));
  for (std::size_t r = 0; r < kRows; ++r) table.grades.push_back(static_cast<float>(r % 3));
  table.queries = QueryGroups(ids, std::vector<std::size_t>(num_queries, kRows / num_queries));
  return std::make_shared<const RowTable>(std::move(table));
}

ColumnSource source_of(const std::shared_ptr<const RowTable>& table) {
  std::vector<ReadColumn> columns;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    columns.push_back([f](std::size_t first, std::size_t count, float* out, std::size_t stride) {
      for (std::size_t i = 0; i < count; ++i) {
        out[i * stride] = static_cast<float>(value_at(first + i, f));
      }
    });
  }
  return {table, std::move(columns)};
}

Dataset dataset_of(const std::shared_ptr<const RowTable>& table) {
  DatasetParts parts{*table, Buffer<float>(kRows * kFeatures)};
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t f = 0; f < kFeatures; ++f) {
      parts.features[r * kFeatures + f] = static_cast<float>(value_at(r, f));
    }
  }
  return Dataset(std::move(parts));
}

bool same_bits(const Dataset& a, const Dataset& b) {
  if (a.num_rows() != b.num_rows() || a.num_features() != b.num_features()) return false;
  for (std::size_t i = 0; i < a.num_rows() * a.num_features(); ++i) {
    if (std::bit_cast<std::uint32_t>(a.features().data()[i]) !=
        std::bit_cast<std::uint32_t>(b.features().data()[i])) {
      return false;
    }
  }
  return true;
}

TEST(ColumnSource, GivesTheBinsOfTheMatrix) {
  const auto table = table_of(50);
  const Dataset data = dataset_of(table);
  for (const std::int64_t sample_rows : {200'000, 1000}) {
    const BinParams params{.max_bins = 31, .sample_rows = static_cast<int>(sample_rows)};
    const BinnedDataset streamed = bin_stream(source_of(table), params, Context{});
    const BinnedDataset whole = bin_dataset(data, params, Context{});
    EXPECT_EQ(streamed.edges(), whole.edges());
    EXPECT_TRUE(std::ranges::equal(streamed.codes(), whole.codes()));
  }
}

TEST(ColumnSource, NeedsAColumnForEveryFeature) {
  EXPECT_EQ(message_of([] { ColumnSource(table_of(50), {}); }),
            "0 columns of values for 7 features");
}

TEST(LateValues, AreThoseOfTheColumnsAndMadeOnce) {
  const auto table = table_of(50);
  const LateValues late(source_of(table));
  EXPECT_NE(late.source(), nullptr);
  EXPECT_EQ(late.digest({}), dataset_digest(dataset_of(table), {}));
  EXPECT_NE(late.source(), nullptr);  // no matrix for a digest
  const Dataset& made = late.get({});
  EXPECT_TRUE(same_bits(made, dataset_of(table)));
  EXPECT_EQ(late.source(), nullptr);
  EXPECT_EQ(late.get({}).features().data(), made.features().data());
  EXPECT_EQ(late.digest({}), dataset_digest(made, {}));
}

TEST(LateValues, SlicesOfQueriesConvertTheirOwnRowsOnly) {
  const auto table = table_of(50);
  const Dataset data = dataset_of(table);
  const LateValues late(source_of(table));
  const auto slice = late.slice(3, 9);
  EXPECT_NE(slice->source(), nullptr);
  EXPECT_TRUE(same_bits(slice->slice(1, 2)->get({}), slice_queries(data, 4, 5)));
  EXPECT_TRUE(same_bits(slice->get({}), slice_queries(data, 3, 9)));
  EXPECT_NE(late.source(), nullptr);
  const LateValues there(data);
  EXPECT_TRUE(same_bits(there.slice(3, 9)->get({}), slice_queries(data, 3, 9)));
}

}  // namespace
}  // namespace glassrank
