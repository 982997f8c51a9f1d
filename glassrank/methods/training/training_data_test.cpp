#include "glassrank/methods/training/training_data.h"

#include <algorithm>
#include <bit>
#include <span>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/document_name.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/select_rows.h"
#include "glassrank/data/synth/bookshop.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

std::string name_of(const TrainingData& data, std::size_t row) {
  return document_name(data.table().document_ids, data.queries(), row);
}

using Rows = std::vector<std::uint32_t>;

const Bookshop& shop() {
  static const Bookshop kShop = make_bookshop({.queries = 20}, 1);
  return kShop;
}

// Some rows of most queries, none of the first.
Rows some_rows() {
  Rows rows;
  const auto first = static_cast<std::uint32_t>(shop().train.queries().rows(0).end);
  for (std::uint32_t row = first; row < shop().train.num_rows(); row += row % 3 + 1) {
    rows.push_back(row);
  }
  return rows;
}

// Missing values are equal.
bool same_values(std::span<const float> a, std::span<const float> b) {
  return std::ranges::equal(a, b, [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  });
}

void expect_same_bins(const BinnedDataset& a, const BinnedDataset& b) {
  ASSERT_EQ(a.num_rows(), b.num_rows());
  ASSERT_EQ(a.num_features(), b.num_features());
  EXPECT_TRUE(std::ranges::equal(a.grades(), b.grades()));
  ASSERT_EQ(a.num_queries(), b.num_queries());
  for (std::size_t q = 0; q < a.num_queries(); ++q) {
    EXPECT_EQ(a.queries().id(q), b.queries().id(q));
    EXPECT_EQ(a.queries().rows(q).end, b.queries().rows(q).end);
  }
  for (std::size_t f = 0; f < a.num_features(); ++f) {
    const BinColumn left = a.column(f);
    const BinColumn right = b.column(f);
    for (std::size_t r = 0; r < a.num_rows(); ++r) ASSERT_EQ(left[r], right[r]) << f << " " << r;
  }
}

TEST(TrainingData, MakesBinsOnceForEachKind) {
  const TrainingData data(shop().train);
  const BinnedDataset first = data.bins({}, nullptr, Context{});
  const TrainingData copy = data;  // NOLINT(performance-unnecessary-copy-initialization): shares
  EXPECT_EQ(copy.bins({}, nullptr, Context{}).shared_edges(), first.shared_edges());
  EXPECT_EQ(data.with_valid(shop().valid).bins({}, nullptr, Context{}).shared_edges(),
            first.shared_edges());
  EXPECT_EQ(data.select(some_rows()).bins({}, nullptr, Context{}).shared_edges(),
            first.shared_edges());
  const BinnedDataset coarse = data.bins({.max_bins = 7}, nullptr, Context{});
  EXPECT_NE(coarse.shared_edges(), first.shared_edges());
  EXPECT_EQ(data.bins({.max_bins = 7}, nullptr, Context{}).shared_edges(), coarse.shared_edges());
  EXPECT_EQ(data.bins({}, nullptr, Context{}).shared_edges(), first.shared_edges());
  expect_same_bins(first, bin_dataset(shop().train, {}, Context{}));
  expect_same_bins(coarse, bin_dataset(shop().train, {.max_bins = 7}, Context{}));
}

TEST(TrainingData, HasThresholdsOfAStartAmongItsCuts) {
  // A model that splits between any two bins of the data.
  const float between = 0.123456F;
  const Forest start(
      {.trees = {{.nodes = {{.feature = 0, .threshold = between, .left = ~0, .right = ~1}},
                  .leaf_values = {0, 1},
                  .statistics = {}}},
       .num_features = shop().train.num_features()});
  const TrainingData data(shop().train);
  const BinnedDataset plain = data.bins({}, nullptr, Context{});
  const BinnedDataset with_start = data.bins({}, &start, Context{});
  EXPECT_EQ(with_start.num_value_bins(0), plain.num_value_bins(0) + 1);
  EXPECT_EQ(data.bins({}, &start, Context{}).shared_edges(), with_start.shared_edges());
  EXPECT_EQ(data.bins({}, nullptr, Context{}).shared_edges(), plain.shared_edges());
}

TEST(TrainingData, KeptRowsAreInTheBinsOfTheWhole) {
  const TrainingData data(shop().train, shop().valid);
  const Rows rows = some_rows();
  const TrainingData kept = data.select(rows);
  EXPECT_EQ(kept.num_rows(), rows.size());
  EXPECT_EQ(kept.num_features(), shop().train.num_features());
  EXPECT_EQ(kept.valid()->num_rows(), shop().valid.num_rows());
  for (const BinParams& params : {BinParams{}, BinParams{.max_bins = 5}, BinParams{}}) {
    const BinnedDataset whole = data.bins(params, nullptr, Context{});
    const BinnedDataset found = kept.bins(params, nullptr, Context{});
    EXPECT_EQ(found.shared_edges(), whole.shared_edges());
    expect_same_bins(found, select_rows(whole, rows, Context{}));
  }
}

TEST(TrainingData, KeptRowsHaveTheirValuesQueriesAndGrades) {
  const TrainingData data(shop().train);
  const Rows rows = some_rows();
  const TrainingData kept = data.select(rows);
  const Dataset& values = kept.values(Context{});
  ASSERT_EQ(values.num_rows(), rows.size());
  ASSERT_EQ(kept.grades().size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_TRUE(same_values(values.row(i), shop().train.row(rows[i])));
    EXPECT_EQ(kept.grades()[i], shop().train.grades()[rows[i]]);
    EXPECT_EQ(values.grades()[i], shop().train.grades()[rows[i]]);
    EXPECT_EQ(name_of(kept, i), shop().train.document_name(rows[i]));
  }
  EXPECT_EQ(&kept.values(Context{}), &values);  // made once
  // The first query lost every row.
  ASSERT_EQ(kept.queries().num_queries(), shop().train.num_queries() - 1);
  EXPECT_EQ(kept.queries().num_rows(), rows.size());
  EXPECT_EQ(kept.queries().id(0), shop().train.queries().id(1));
  for (std::size_t q = 0; q < kept.queries().num_queries(); ++q) {
    EXPECT_EQ(kept.queries().id(q), values.queries().id(q));
    EXPECT_EQ(kept.queries().rows(q).begin, values.queries().rows(q).begin);
    EXPECT_EQ(kept.queries().rows(q).end, values.queries().rows(q).end);
  }
}

TEST(TrainingData, RowsCanBeKeptOfKeptRows) {
  const TrainingData data(shop().train);
  const Rows rows = some_rows();
  Rows places;
  Rows both;
  for (std::uint32_t i = 1; i < rows.size(); i += 2) {
    places.push_back(i);
    both.push_back(rows[i]);
  }
  const TrainingData twice = data.select(rows).select(places);
  const TrainingData once = data.select(both);
  EXPECT_TRUE(std::ranges::equal(twice.grades(), once.grades()));
  EXPECT_EQ(name_of(twice, 3), name_of(once, 3));
  EXPECT_TRUE(same_values(twice.values(Context{}).row(3), once.values(Context{}).row(3)));
  expect_same_bins(twice.bins({}, nullptr, Context{}), once.bins({}, nullptr, Context{}));
}

TEST(TrainingData, TheWholeIsWhatItWasBeforeAnyKeep) {
  const TrainingData data(shop().train, shop().valid);
  const TrainingData whole = data.select(some_rows()).select({0, 1}).whole();
  EXPECT_EQ(whole.num_rows(), shop().train.num_rows());
  EXPECT_EQ(&whole.values(Context{}), &data.values(Context{}));
  EXPECT_TRUE(std::ranges::equal(whole.grades(), shop().train.grades()));
  EXPECT_EQ(whole.queries().num_queries(), shop().train.num_queries());
  EXPECT_EQ(data.select(some_rows()).digest(Context{}), dataset_digest(shop().train, Context{}));
}

TEST(TrainingData, ReadsAFileOfText) {
  const std::string path = testing::temporary_path("training_data.txt");
  write_text_file(path, "1 qid:a 1:0.5 2:3 # x\n0 qid:a 1:2 2:1 # y\n2 qid:b 1:1 # z\n");
  for (const bool needs_values : {false, true}) {
    const TrainingData data({.path = path, .read = {}, .bins = {}, .needs_values = needs_values},
                            Context{});
    EXPECT_EQ(data.num_rows(), 3U);
    EXPECT_EQ(data.num_features(), 2U);
    EXPECT_EQ(data.queries().num_queries(), 2U);
    EXPECT_EQ(data.grades()[2], 2);
    EXPECT_EQ(name_of(data, 2), "z");
    EXPECT_TRUE(data.has_values());
    const Dataset expected = load_dataset(path, {}, Context{});
    EXPECT_EQ(data.digest(Context{}), dataset_digest(expected, Context{}));
    expect_same_bins(data.bins({}, nullptr, Context{}), bin_dataset(expected, {}, Context{}));
    EXPECT_TRUE(std::ranges::equal(data.values(Context{}).row(1), expected.row(1)));
  }
  const std::string none = testing::temporary_path("no_such_file.txt");
  EXPECT_NE(message_of([&] {
              TrainingData({.path = none, .read = {}, .bins = {}}, Context{});
            }).find(none),
            std::string::npos);
}

TEST(TrainingData, OfACacheOfBinsHasNoValues) {
  const std::string path = testing::temporary_path("training_data.bins");
  const TrainingData data =
      testing::bins_only(shop().train, {.max_bins = 31}, "training_data.bins");
  EXPECT_FALSE(data.has_values());
  EXPECT_EQ(data.num_rows(), shop().train.num_rows());
  EXPECT_TRUE(std::ranges::equal(data.grades(), shop().train.grades()));
  EXPECT_TRUE(std::ranges::equal(data.feature_names(), shop().train.feature_names()));
  EXPECT_EQ(name_of(data, 5), shop().train.document_name(5));
  const BinnedDataset bins = data.bins({.max_bins = 31}, nullptr, Context{});
  expect_same_bins(bins, bin_dataset(shop().train, {.max_bins = 31}, Context{}));
  EXPECT_EQ(data.digest(Context{}), dataset_digest(bins, Context{}));
  const TrainingData kept = data.select(some_rows());
  expect_same_bins(kept.bins({.max_bins = 31}, nullptr, Context{}),
                   select_rows(bins, some_rows(), Context{}));
  EXPECT_EQ(kept.grades()[0], shop().train.grades()[some_rows()[0]]);
  EXPECT_EQ(name_of(kept, 1), shop().train.document_name(some_rows()[1]));
  for (const TrainingData* each : {&data, &kept}) {
    EXPECT_EQ(message_of([&] { each->values(Context{}); }),
              path +
                  ": the cache holds bins, not feature values; make one of values with `glassrank "
                  "data cache` without --binned");
  }
}

// The values of the shop in columns of their own.
std::shared_ptr<const LateValues> columns_of_shop() {
  const Dataset& data = shop().train;
  std::vector<ReadColumn> columns;
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    columns.push_back(
        [&data, f](std::size_t first, std::size_t count, float* out, std::size_t stride) {
          for (std::size_t i = 0; i < count; ++i) out[i * stride] = data.row(first + i)[f];
        });
  }
  return std::make_shared<const LateValues>(ColumnSource(data.shared_table(), columns));
}

TEST(TrainingData, OfColumnsIsThatOfTheMatrixWhichOnlyValuesNeed) {
  const auto late = columns_of_shop();
  const TrainingData data(late);
  const TrainingData whole(shop().train);
  expect_same_bins(data.bins({.max_bins = 31}, nullptr, Context{}),
                   whole.bins({.max_bins = 31}, nullptr, Context{}));
  EXPECT_EQ(data.digest(Context{}), whole.digest(Context{}));
  expect_same_bins(data.select(some_rows()).bins({.max_bins = 31}, nullptr, Context{}),
                   whole.select(some_rows()).bins({.max_bins = 31}, nullptr, Context{}));
  EXPECT_NE(late->source(), nullptr);
  EXPECT_TRUE(data.has_values());
  EXPECT_TRUE(same_values(data.values(Context{}).row(7), shop().train.row(7)));
  EXPECT_EQ(late->source(), nullptr);
  // A sample of everything is the matrix itself.
  const TrainingData all(columns_of_shop());
  expect_same_bins(all.bins({.max_bins = 31, .sample_rows = 0}, nullptr, Context{}),
                   whole.bins({.max_bins = 31, .sample_rows = 0}, nullptr, Context{}));
}

TEST(TrainingData, RefusesACacheOfOtherBins) {
  const TrainingData data = testing::bins_only(shop().train, {.max_bins = 31}, "other.bins");
  const std::string message = message_of([&] { data.bins({.max_bins = 63}, nullptr, Context{}); });
  EXPECT_NE(message.find(testing::temporary_path("other.bins")), std::string::npos) << message;
  EXPECT_NE(message.find("max_bins"), std::string::npos) << message;
  EXPECT_NE(message.find("31"), std::string::npos) << message;
  EXPECT_EQ(message_of([&] { data.select({0, 1}).bins({.max_bins = 63}, nullptr, Context{}); }),
            message);
}

}  // namespace
}  // namespace glassrank
