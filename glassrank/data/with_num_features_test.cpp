#include "glassrank/data/with_num_features.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/data/digest.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/formats.h"
#include "testing/message_of.h"
#include "testing/random_data_file.h"

namespace glassrank {
namespace {

void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(dataset_digest(a, Context{}), dataset_digest(b, Context{}));
  EXPECT_TRUE(std::ranges::equal(a.schema().columns(), b.schema().columns()));
  EXPECT_TRUE(std::ranges::equal(a.source_rows(), b.source_rows()));
  EXPECT_EQ(a.document_ids().blob(), b.document_ids().blob());
  ASSERT_EQ(a.num_features(), b.num_features());
  for (std::size_t r = 0; r < a.num_rows(); ++r) {
    EXPECT_TRUE(std::ranges::equal(a.row(r), b.row(r), {}, std::bit_cast<std::uint32_t, float>,
                                   std::bit_cast<std::uint32_t, float>));
  }
}

// The slow way: reading the file again.
TEST(WithNumFeatures, GivesWhatReadingWithThatNumberGives) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomFileOptions options = random_file_options(seed);
    options.num_rows = 1 + options.num_rows / 5;
    const RandomDataFile file(options, seed);
    ReadParams read;
    if (seed % 3 == 0) read.absent = AbsentValue::kMissing;
    const Dataset data = load_dataset(file.path(), read, Context{});
    for (const std::size_t more : {0, 1, 30}) {
      read.num_features = static_cast<int>(data.num_features() + more);
      expect_same(with_num_features(data, data.num_features() + more),
                  load_dataset(file.path(), read, Context{}));
    }
  }
}

TEST(WithNumFeatures, LeavesDataAsWideOrWiderAlone) {
  const RandomDataFile file({.num_features = 4}, 1);
  const Dataset data = load_dataset(file.path(), {}, Context{});
  EXPECT_EQ(with_num_features(data, 4).features().data(), data.features().data());
  EXPECT_EQ(with_num_features(data, 2).num_features(), 4U);
}

// A cache has the features it has, whatever number is asked for.
TEST(WithNumFeatures, LeavesACacheAloneAsReadingDoes) {
  const RandomDataFile file({.num_features = 4}, 1);
  const std::string cache = file.path() + ".cache";
  write_cache(cache, load_dataset(file.path(), {}, Context{}), Context{});
  const Dataset data = load_dataset(cache, {}, Context{});
  EXPECT_EQ(load_dataset(cache, {.num_features = 6}, Context{}).num_features(), 4U);
  EXPECT_EQ(with_num_features(data, 6).num_features(), 4U);
}

TEST(WithNumFeatures, RefusesANumberThatIsAName) {
  const RandomDataFile file({.num_features = 2, .has_names = true}, 1);
  write_text_file(file.path() + ".names", "4\nother\n");
  const Dataset data = load_dataset(file.path(), {}, Context{});
  EXPECT_EQ(with_num_features(data, 3).feature_names()[2], "3");
  const std::string message = "feature 4, added for num_features = 5, has the name of a column";
  EXPECT_EQ(message_of([&] { with_num_features(data, 5); }), message);
  EXPECT_EQ(message_of([&] { load_dataset(file.path(), {.num_features = 5}, Context{}); }),
            file.path() + ": " + message);
}

}  // namespace
}  // namespace glassrank
