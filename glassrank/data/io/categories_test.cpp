#include "glassrank/data/io/categories.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/read_bins.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view kShop =
    "grade,query,colour,size,price\n"
    "1,q1,red,3,1.5\n0,q1,\"blue\",7,2\n2,q1, red ,3,3\n"
    "0,q2,green,1,1\n1,q2,,nan,2\n0,q2,blue,3,9\n1,q2,red,7,1\n";

class Categories : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "glassrank_categories";
    std::filesystem::create_directories(folder_);
  }
  std::string file(const std::string& name, std::string_view text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  std::filesystem::path folder_;
  Context context_;
};

// red three times, blue twice, green once.
TEST_F(Categories, AreTextsOfACsvColumnTheMostFrequentFirst) {
  const std::string path = file("shop.csv", kShop);
  const Dataset data = load_dataset(path, {.categorical = {"colour"}}, context_);
  const SchemaColumn& colour = data.schema().feature(0);
  EXPECT_EQ(colour.kind, ColumnKind::kCategory);
  EXPECT_EQ(colour.categories, (Texts{"red", "blue", "green"}));
  EXPECT_FALSE(data.schema().is_category(1));
  const std::vector<float> codes = {0, 1, 0, 2, NAN, 1, 0};
  for (std::size_t r = 0; r < codes.size(); ++r) {
    if (std::isnan(codes[r])) {
      EXPECT_TRUE(std::isnan(data.row(r)[0]));
    } else {
      EXPECT_EQ(data.row(r)[0], codes[r]) << r;
    }
  }
  EXPECT_EQ(data.row(5)[2], 9);
}

TEST_F(Categories, WholeNumbersAreTheirCodes) {
  const std::string path = file("shop.csv", kShop);
  const Dataset data = load_dataset(path, {.categorical = {"size", "colour"}}, context_);
  EXPECT_TRUE(data.schema().is_category(1));
  EXPECT_TRUE(data.schema().feature(1).categories.empty());
  EXPECT_EQ(data.row(1)[1], 7);
  const std::string floats = file("f.csv", "grade,query,c\n1,1,2.0\n0,1,0\n1,1,\n0,1,1e1\n");
  const Dataset whole = load_dataset(floats, {.categorical = {"c"}}, context_);
  EXPECT_TRUE(whole.schema().is_category(0));
  EXPECT_TRUE(whole.schema().feature(0).categories.empty());
  EXPECT_EQ(whole.row(3)[0], 10);
  const std::string sizes = file("s.csv", "grade,query,c\n1,1,7.5\n0,1,XL\n");
  EXPECT_EQ(load_dataset(sizes, {.categorical = {"c"}}, context_).schema().feature(0).categories,
            (Texts{"7.5", "XL"}));
  const std::string letor = file("rows.txt", "1 qid:1 1:3 2:0.5\n0 qid:1 1:2 2:0.25\n");
  EXPECT_TRUE(load_dataset(letor, {.categorical = {"1"}}, context_).schema().is_category(0));
}

TEST_F(Categories, FractionsAndNegativeNumbersAreNone) {
  const auto refusal = [&](const std::string& path) {
    const ReadParams read{.categorical = {"2"}};
    const std::string loaded = message_of([&] { load_dataset(path, read, context_); });
    EXPECT_EQ(message_of([&] { read_bins(path, read, {}, context_); }), loaded);
    return loaded.substr(loaded.find("categorical"));
  };
  const std::string table = file("p.csv", "grade,query,c,price\n1,1,2,0.5\n0,1,3,7.25\n0,1,3,9\n");
  EXPECT_EQ(refusal(table),
            "categorical: '0.5' of 'price' is no category; categories are texts or whole numbers "
            "from 0 on: a column of other numbers is no categorical one");
  const std::string letor = file("p.txt", "1 qid:1 1:3 2:-7\n0 qid:1 1:2 2:0.25\n");
  EXPECT_TRUE(refusal(letor).starts_with("categorical: '-7' of '2' is no category"));
  const std::string codes = file("m.csv", "grade,query,c,e\n1,1,2,-1\n0,1,3,4\n");
  EXPECT_TRUE(refusal(codes).ends_with("(csv, tsv: --na-values=-1 takes it as missing)"));
  const ReadParams missing{.na_values = {"-1"}, .categorical = {"2"}};
  EXPECT_TRUE(std::isnan(load_dataset(codes, missing, context_).row(0)[1]));
  // What a model says is not checked: others may send unseen values anywhere.
  EXPECT_TRUE(
      load_dataset(letor, {.categorical_if_there = {"2"}}, context_).schema().is_category(1));
}

TEST_F(Categories, AWarningTellsOfOneForNearlyEveryRow) {
  struct Told : LogSink {
    void log(LogLevel level, std::string_view message) override {
      if (level == LogLevel::kWarning) messages.emplace_back(message);
    }
    std::vector<std::string> messages;
  };
  std::string table = "grade,query,2\n";
  std::string letor;
  for (int i = 0; i < 1200; ++i) {
    table += fmt::format("1,1,{}{}\n", i % 1100, i == 0 ? "x" : "");
    letor += fmt::format("1 qid:1 1:3 2:{}\n", i % 1100);
  }
  for (const std::string& path : {file("w.csv", table), file("w.txt", letor)}) {
    const ReadParams read{.categorical = {"2"}};
    for (const bool streams : {false, true}) {
      const auto told = std::make_shared<Told>();
      Context context;
      context.log_sink = told;
      if (streams) {
        read_bins(path, read, {}, context);
      } else {
        load_dataset(path, read, context);
      }
      ASSERT_EQ(told->messages.size(), 1U);
      EXPECT_EQ(told->messages[0].substr(told->messages[0].find("'2'")),
                fmt::format("'2' has {} categories in 1200 rows; what nearly every row has of its "
                            "own teaches a model little",
                            path.ends_with(".csv") ? 1101 : 1100));
    }
  }
}

TEST_F(Categories, AnUnknownColumnIsAnError) {
  const std::string path = file("shop.csv", kShop);
  const std::string message =
      message_of([&] { load_dataset(path, {.categorical = {"color"}}, context_); });
  EXPECT_NE(message.find("color"), std::string::npos) << message;
  EXPECT_NE(message.find("colour"), std::string::npos) << message;
  const std::string numbers = file("n.csv", "grade,query,c\n1,1,2\n0,1,3\n");
  const Dataset data = load_dataset(numbers, {.categorical_if_there = {"color"}}, context_);
  EXPECT_FALSE(data.schema().has_categories());
}

TEST_F(Categories, TextsWithoutBeingNamedStayAnError) {
  const std::string path = file("shop.csv", kShop);
  EXPECT_NE(message_of([&] { load_dataset(path, {}, context_); }), "no error");
}

TEST_F(Categories, CachesKeepThem) {
  const ReadParams read{.categorical = {"colour", "size"}};
  const Dataset data = load_dataset(file("shop.csv", kShop), read, context_);
  const std::string cache = (folder_ / "shop.cache").string();
  write_cache(cache, data, context_);
  const Dataset again = load_dataset(cache, {}, context_);
  const BinnedDataset bins = bin_dataset(data, {.min_bin_rows = 1}, context_);
  const std::string binned = (folder_ / "shop.bins").string();
  write_binned_cache(binned, bins, {.min_bin_rows = 1}, context_);
  const BinnedDataset bins_again = open_binned_cache(binned, context_);
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    EXPECT_EQ(again.schema().feature(f), data.schema().feature(f));
    EXPECT_EQ(bins_again.is_category(f), data.schema().is_category(f));
    EXPECT_EQ(bins_again.table().schema.feature(f).categories, data.schema().feature(f).categories);
  }
}

TEST_F(Categories, BinsOfAStreamAreThoseOfTheValues) {
  const ReadParams read{.categorical = {"colour", "size"}};
  const BinParams params{.sample_rows = 3, .min_bin_rows = 1};
  const std::string path = file("shop.csv", kShop);
  const BinnedDataset expected = bin_dataset(load_dataset(path, read, context_), params, context_);
  const BinnedDataset streamed = read_bins(path, read, params, context_).data;
  EXPECT_EQ(streamed.edges(), expected.edges());
  EXPECT_TRUE(std::ranges::equal(streamed.codes(), expected.codes()));
}

// Codes 4 (three rows), 9 (two), 5 and 0 (one): with at least two rows 4 and 9 have a bin.
TEST(CategoryBins, HoldTheFrequentOnesAndLeaveTheRestTogether) {
  const std::vector<float> codes = {4, 9, 4, 0, 9, 5, 4, NAN, -3, 9.5F};
  const std::vector<float> cuts = find_category_cuts(codes, {.min_bin_rows = 2});
  ASSERT_EQ(cuts,
            (std::vector<float>{edge_below(4), edge_below(5), edge_below(9), edge_below(10)}));
  const BinEdges edges({0, cuts.size()}, cuts);
  EXPECT_EQ(edges.category_of(0, edges.bin(0, 4)), 4U);
  EXPECT_EQ(edges.category_of(0, edges.bin(0, 9.5F)), 9U);
  for (const float other : {-3.0F, 0.0F, 5.0F, 6.0F, 100.0F}) {
    EXPECT_EQ(edges.category_of(0, edges.bin(0, other)), std::nullopt) << other;
  }
  EXPECT_EQ(edges.category_of(0, edges.missing_bin(0)), std::nullopt);
}

TEST(CategoryBins, AreNoMoreThanAsked) {
  std::vector<float> codes;
  for (int c = 0; c < 600; ++c) {
    for (int i = 0; i < 3 + c % 5; ++i) codes.push_back(static_cast<float>(2 * c));
  }
  for (const int max_bins : {2, 5, 63, 255, 1000}) {
    const auto cuts = find_category_cuts(codes, {.max_bins = max_bins, .max_categories = 0});
    EXPECT_LE(cuts.size() + 1, static_cast<std::size_t>(max_bins));
    EXPECT_GE(cuts.size() + 3, static_cast<std::size_t>(max_bins));
  }
  // Two cuts each.
  EXPECT_EQ(find_category_cuts(codes, {.max_categories = 100}).size(), 200);
}

// 300 categories of 10 rows, then as many as there are of 3 rows.
std::vector<float> heavy_and_light(int num_light) {
  std::vector<float> codes;
  for (int c = 0; c < 300 + num_light; ++c) {
    for (int i = 0; i < (c < 300 ? 10 : 3); ++i) codes.push_back(static_cast<float>(c));
  }
  return codes;
}

std::size_t num_categories(std::span<const float> codes, const BinParams& params) {
  const std::vector<float> cuts = find_category_cuts(codes, params);
  const BinEdges edges({0, cuts.size()}, cuts);
  std::size_t count = 0;
  for (std::size_t bin = 0; bin < edges.num_value_bins(0); ++bin) {
    count += edges.category_of(0, bin) ? 1 : 0;
  }
  return count;
}

TEST(CategoryBins, GoOnUntilTheyCoverNearlyAllRows) {
  // Of 3,015 rows 297 heavy ones leave less than a hundredth; of 3,300 all heavy and 89 light do.
  EXPECT_EQ(num_categories(heavy_and_light(5), {}), 299);
  EXPECT_EQ(num_categories(heavy_and_light(100), {}), 389);
  EXPECT_EQ(num_categories(heavy_and_light(100), {.max_bins = 1000}), 400);
  EXPECT_EQ(num_categories(heavy_and_light(100), {.max_categories = 350}), 350);
  EXPECT_EQ(num_categories(heavy_and_light(100), {.max_categories = 0}),
            253);  // and a bin on either side
}

}  // namespace
}  // namespace glassrank
