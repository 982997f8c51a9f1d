#include "glassrank/models/gam/bag_tables.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

TEST(BagTables, AreCentredByWeight) {
  std::vector<double> table = {1, 5, 9};
  EXPECT_EQ(centre_table(table, std::vector<double>{3, 1, 0}), 2);  // (3 * 1 + 5) / 4
  EXPECT_EQ(table, (std::vector<double>{-1, 3, 7}));
}

TEST(BagTables, StayAsTheyAreWithoutWeights) {
  std::vector<double> table = {1, 5};
  EXPECT_EQ(centre_table(table, {}), 0);
  EXPECT_EQ(centre_table(table, std::vector<double>{0, 0}), 0);
  EXPECT_EQ(table, (std::vector<double>{1, 5}));
}

TEST(BagTables, DeviateByTheRootOfTheMeanSquare) {
  // Cell 1: 0 and 4 about 2. Cell 2: equal.
  const std::vector<std::vector<double>> tables = {{0, 7}, {4, 7}};
  EXPECT_EQ(table_deviations(tables), (std::vector<double>{2, 0}));
}

}  // namespace
}  // namespace glassrank
