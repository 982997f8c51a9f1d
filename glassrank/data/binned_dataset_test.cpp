#include "glassrank/data/binned_dataset.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/data/bin_stream.h"
#include "testing/bin_test_data.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

Context with_threads(int count) {
  Context context;
  context.threads = std::make_shared<Threads>(count);
  return context;
}

// Rows of a Dataset in blocks of uneven size, out of order, as a parallel reader gives them.
class DatasetSource final : public RowSource {
 public:
  explicit DatasetSource(Dataset data) : data_(std::move(data)) {
    for (std::size_t row = 0; row < data_.num_rows(); row = starts_.back()) {
      if (starts_.empty()) starts_.push_back(0);
      starts_.push_back(std::min(row + 1 + starts_.size() * 37 % 400, data_.num_rows()));
    }
  }
  std::shared_ptr<const RowTable> shared_table() const override { return data_.shared_table(); }
  void pass(const Context& context, RowSink& sink) const override {
    const std::size_t num_blocks = starts_.empty() ? 0 : starts_.size() - 1;
    context.threads->run(num_blocks, [&](std::size_t i) {
      const std::size_t begin = starts_[num_blocks - 1 - i];
      const std::size_t end = starts_[num_blocks - i];
      float* rows = sink.begin_block(begin, end - begin);
      for (std::size_t r = begin; r < end; ++r) {
        std::ranges::copy(data_.row(r), rows + (r - begin) * data_.num_features());
      }
      sink.end_block(begin, end - begin, rows);
    });
  }

 private:
  Dataset data_;
  std::vector<std::size_t> starts_;
};

void expect_same(const BinnedDataset& a, const BinnedDataset& b) {
  EXPECT_EQ(a.edges(), b.edges());
  EXPECT_TRUE(std::ranges::equal(a.codes(), b.codes()));
  EXPECT_TRUE(std::ranges::equal(a.missing_counts(), b.missing_counts()));
  EXPECT_TRUE(std::ranges::equal(a.grades(), b.grades()));
  EXPECT_TRUE(std::ranges::equal(a.weights(), b.weights()));
  EXPECT_TRUE(std::ranges::equal(a.queries().ids(), b.queries().ids()));
  EXPECT_TRUE(std::ranges::equal(a.queries().offsets(), b.queries().offsets()));
  EXPECT_TRUE(std::ranges::equal(a.feature_names(), b.feature_names()));
}

TEST(BinnedDataset, HoldsTheBinOfEveryValue) {
  const Dataset data = test_data({.num_rows = 3001});
  for (const int max_bins : {2, 15, 255, 256, 1000}) {
    const BinnedDataset binned = bin_dataset(data, {.max_bins = max_bins}, Context{});
    for (std::size_t f = 0; f < data.num_features(); ++f) {
      const BinColumn column = binned.column(f);
      ASSERT_EQ(column.size(), data.num_rows());
      EXPECT_EQ(column.is_wide(), binned.num_bins(f) > 256);
      EXPECT_LE(binned.num_value_bins(f), static_cast<std::size_t>(max_bins));
      for (std::size_t r = 0; r < data.num_rows(); ++r) {
        ASSERT_EQ(column[r], binned.edges().bin(f, data.row(r)[f]));
      }
    }
  }
}

TEST(BinnedDataset, UsesTwoBytesOnlyBeyond256Codes) {
  const Dataset data = test_data({.num_rows = 3000, .num_features = 3});
  EXPECT_FALSE(bin_dataset(data, {.max_bins = 255}, Context{}).column(2).is_wide());
  const BinnedDataset wide = bin_dataset(data, {.max_bins = 256, .min_bin_rows = 1}, Context{});
  EXPECT_EQ(wide.num_bins(2), 257U);
  EXPECT_TRUE(wide.column(2).is_wide());
  EXPECT_EQ(wide.column(2).wide()[5], wide.column(2)[5]);
}

TEST(BinnedDataset, KnowsMissingAndConstantFeatures) {
  const Dataset data = test_data({.num_rows = 600, .num_features = 6});
  const BinnedDataset binned = bin_dataset(data, {}, Context{});
  std::size_t missing = 0;
  for (std::size_t r = 0; r < 600; ++r) missing += std::isnan(data.row(r)[5]) ? 1 : 0;
  EXPECT_EQ(binned.num_missing(5), missing);
  EXPECT_EQ(binned.num_missing(2), 0U);
  EXPECT_TRUE(binned.is_constant(4));
  EXPECT_FALSE(binned.is_constant(5));
}

Dataset one_column(std::vector<float> values) {
  DatasetParts parts;
  parts.features = Buffer<float>(values.size());
  std::ranges::copy(values, parts.features.data());
  parts.grades.resize(values.size());
  parts.queries = QueryGroups({"q"}, std::vector<std::size_t>{values.size()});
  parts.schema = Schema::of_features({"x"});
  return Dataset(std::move(parts));
}

TEST(BinnedDataset, CallsAFeatureConstantOnlyIfMissingTellsNothingEither) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(bin_dataset(one_column({1, 1, 1}), {}, Context{}).is_constant(0));
  EXPECT_TRUE(bin_dataset(one_column({kNan, kNan}), {}, Context{}).is_constant(0));
  EXPECT_FALSE(bin_dataset(one_column({1, kNan, 1}), {}, Context{}).is_constant(0));
}

TEST(BinnedDataset, PutsUnseenValuesIntoTheEndBinsAndNanIntoTheMissingOne) {
  const BinnedDataset train = bin_dataset(one_column({1, 2, 3}), {.min_bin_rows = 1}, Context{});
  const BinnedDataset valid =
      bin_with(one_column({-9, 1.4F, 2.9F, 99, std::numeric_limits<float>::quiet_NaN()}),
               train.shared_edges(), Context{});
  const auto codes = valid.column(0).narrow();
  EXPECT_EQ(std::vector<int>(codes.begin(), codes.end()), (std::vector<int>{0, 0, 2, 2, 3}));
  EXPECT_EQ(valid.missing_bin(0), 3U);
  EXPECT_EQ(valid.num_missing(0), 1U);
}

TEST(BinnedDataset, RefusesEdgesOfOtherFeatures) {
  const BinnedDataset train = bin_dataset(one_column({1, 2}), {}, Context{});
  EXPECT_EQ(message_of([&] { bin_with(test_data(), train.shared_edges(), Context{}); }),
            "the data has 12 features but the bin edges have 1");
}

TEST(BinnedDataset, RefusesPartsThatDoNotFit) {
  auto table = std::make_shared<RowTable>();
  table->grades = {1};
  const std::vector<std::uint8_t> codes(64);
  EXPECT_EQ(message_of([&] {
              BinnedDataset({.table = table,
                             .edges = std::make_shared<const BinEdges>(),
                             .num_missing = {},
                             .owner = nullptr,
                             .codes = codes});
            }),
            "the parts of binned data do not fit: 64 bytes of codes for 1 rows");
}

TEST(BinnedDataset, OutlivesTheDatasetItWasMadeFrom) {
  auto data = std::make_unique<Dataset>(test_data({.num_rows = 40}));
  const BinnedDataset binned = bin_dataset(*data, {}, Context{});
  data.reset();
  EXPECT_EQ(binned.grades()[7], 2.0F);
  EXPECT_EQ(binned.table().document_ids[39], "doc39");
  EXPECT_EQ(binned.feature_names()[3], "feature 4");
  EXPECT_EQ(binned.queries().id(0), "q0");
}

TEST(BinnedDataset, DoesNotDependOnThreads) {
  const Dataset data = test_data({.num_rows = 20'000, .num_features = 13});
  const BinParams params{.max_bins = 300, .sample_rows = 7000};
  const BinnedDataset one = bin_dataset(data, params, with_threads(1));
  expect_same(one, bin_dataset(data, params, with_threads(2)));
  expect_same(one, bin_dataset(data, params, with_threads(4)));
}

TEST(BinnedDataset, OfNoRowsIsPossible) {
  const BinnedDataset binned = bin_dataset(test_data({.num_rows = 0}), {}, Context{});
  EXPECT_EQ(binned.num_rows(), 0U);
  EXPECT_EQ(binned.column(3).size(), 0U);
}

TEST(BinStream, GivesWhatBinningInMemoryGives) {
  const Dataset data = test_data({.num_rows = 12'345});
  const DatasetSource source(data);
  for (const std::int64_t sample_rows : {1000, 12'344, 12'345, 200'000}) {
    const BinParams params{.max_bins = 300, .sample_rows = sample_rows};
    const BinnedDataset expected = bin_dataset(data, params, with_threads(2));
    for (const int threads : {1, 2, 4}) {
      expect_same(bin_stream(source, params, with_threads(threads)), expected);
    }
  }
}

TEST(BinStream, RefusesASampleOfEverything) {
  EXPECT_EQ(message_of([] { bin_dataset(test_data(), {.sample_rows = -1}, Context{}); }),
            "sample_rows = -1 is out of range; it must be x >= 0");
  EXPECT_EQ(
      message_of([] { bin_stream(DatasetSource(test_data()), {.sample_rows = 0}, Context{}); }),
      "sample_rows = 0 (all rows) would hold the whole matrix; streaming needs a sample, for "
      "example sample_rows = 200000");
}

}  // namespace
}  // namespace glassrank
