#include "glassrank/data/synth/category_shop.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/data/io/csv/csv.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

const CategoryShopParams kSmall{
    .queries = 50, .documents_per_query = 20, .brands = 20, .sellers = 40};

TEST(CategoryShop, IsAFunctionOfParametersAndSeed) {
  const CategoryShop a = make_category_shop(kSmall, 1);
  const CategoryShop b = make_category_shop(kSmall, 1);
  EXPECT_EQ(category_csv(a.train), category_csv(b.train));
  EXPECT_NE(category_csv(a.train), category_csv(make_category_shop(kSmall, 2).train));
  EXPECT_EQ(a.train.num_queries(), 30U);
  EXPECT_EQ(a.valid.num_queries(), 10U);
  EXPECT_EQ(a.test.num_rows(), 200U);
}

TEST(CategoryShop, ItsCsvHasTheSameCategories) {
  const CategoryShop shop = make_category_shop(kSmall, 3);
  const Dataset read = parse_csv(category_csv(shop.test), "test.csv", ',',
                                 {.categorical = {"brand", "seller", "colour", "kind"}}, {});
  ASSERT_EQ(read.num_rows(), shop.test.num_rows());
  for (std::size_t f = 0; f < read.num_features(); ++f) {
    const SchemaColumn& ours = shop.test.schema().feature(f);
    const SchemaColumn& theirs = read.schema().feature(f);
    EXPECT_EQ(theirs.name, ours.name);
    EXPECT_EQ(theirs.kind, ours.kind);
    for (std::size_t r = 0; r < read.num_rows(); ++r) {
      const float value = read.row(r)[f];
      if (theirs.categories.empty()) {
        ASSERT_EQ(value, shop.test.row(r)[f]);
      } else {
        ASSERT_EQ(theirs.categories[static_cast<std::size_t>(value)],
                  ours.categories[static_cast<std::size_t>(shop.test.row(r)[f])]);
      }
    }
  }
}

// The mean grade of frequent brands follows their effect: rank correlation well above chance.
TEST(CategoryShop, GradesFollowTheEffectsOfCategories) {
  const CategoryShop shop = make_category_shop({.queries = 1000, .brands = 12, .noise = 0.1}, 4);
  std::vector<double> sums(12);
  std::vector<double> counts(12);
  for (std::size_t r = 0; r < shop.train.num_rows(); ++r) {
    const auto brand = static_cast<std::size_t>(shop.train.row(r)[0]);
    sums[brand] += shop.train.grades()[r];
    ++counts[brand];
  }
  std::size_t num_alike = 0;
  std::size_t num_pairs = 0;
  for (std::size_t a = 0; a < 12; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double difference = shop.effects[0].effects[a] - shop.effects[0].effects[b];
      if (std::abs(difference) < 0.3) continue;
      ++num_pairs;
      num_alike += (sums[a] / counts[a] > sums[b] / counts[b]) == (difference > 0) ? 1 : 0;
    }
  }
  EXPECT_GT(num_pairs, 20U);
  EXPECT_GE(static_cast<double>(num_alike), 0.95 * static_cast<double>(num_pairs));
}

TEST(CategoryShop, RefusesParametersOutOfRange) {
  EXPECT_NE(message_of([] { make_category_shop({.queries = 2}, 1); }), "no error");
}

}  // namespace
}  // namespace glassrank
