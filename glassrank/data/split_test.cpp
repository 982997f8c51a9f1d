#include "glassrank/data/split.h"

#include <array>
#include <numeric>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/base/error.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

// Every query once over the parts, each part ascending.
void assert_partition(const std::vector<QueryList>& parts, std::size_t num_queries) {
  std::vector<int> seen(num_queries, 0);
  for (const QueryList& part : parts) {
    RC_ASSERT(std::is_sorted(part.begin(), part.end()));
    for (const std::size_t q : part) ++seen.at(q);
  }
  RC_ASSERT(seen == std::vector<int>(num_queries, 1));
}

TEST(Split, GivesTheAskedShares) {
  const auto parts = split_queries(10, std::array{0.6, 0.2, 0.2}, 1);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].size(), 6U);  // round(10 * 0.6)
  EXPECT_EQ(parts[1].size(), 2U);  // round(10 * 0.8) - 6
  EXPECT_EQ(parts[2].size(), 2U);
}

TEST(Split, DependsOnTheSeedAlone) {
  const std::array fractions = {0.5, 0.5};
  EXPECT_EQ(split_queries(100, fractions, 4), split_queries(100, fractions, 4));
  EXPECT_NE(split_queries(100, fractions, 4), split_queries(100, fractions, 5));
}

RC_GTEST_PROP(Split, PutsEveryQueryInExactlyOnePart, (std::uint64_t seed)) {
  const auto num_queries = *rc::gen::inRange<std::size_t>(10, 300);
  assert_partition(split_queries(num_queries, std::array{0.7, 0.1, 0.2}, seed), num_queries);
}

RC_GTEST_PROP(Folds, TestPartsCoverEveryQueryOnceAndRotate, (std::uint64_t seed)) {
  const auto k = *rc::gen::inRange(3, 8);
  const auto num_queries = *rc::gen::inRange<std::size_t>(8, 200);
  const auto folds = fold_queries(num_queries, k, seed);
  std::vector<QueryList> tests;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    assert_partition({folds[i].train, folds[i].valid, folds[i].test}, num_queries);
    RC_ASSERT(folds[i].valid == folds[(i + 1) % folds.size()].test);
    RC_ASSERT(!folds[i].train.empty());
    tests.push_back(folds[i].test);
  }
  assert_partition(tests, num_queries);
}

TEST(Folds, DifferByAtMostOneQuery) {
  for (const Fold& fold : fold_queries(11, 3, 0)) {
    EXPECT_TRUE(fold.test.size() == 3 || fold.test.size() == 4);
  }
}

TEST(Split, SaysWhatIsWrong) {
  EXPECT_EQ(message_of([] { split_queries(10, std::array{0.5, 0.4}, 0); }),
            "fractions add up to 0.9; they must add up to 1");
  EXPECT_EQ(message_of([] { split_queries(10, std::array{1.0, 0.0}, 0); }),
            "fraction 0 is not positive; leave a part out instead");
  EXPECT_EQ(message_of([] { split_queries(2, std::array{0.6, 0.2, 0.2}, 0); }),
            "2 queries are too few: part 3 with fraction 0.2 would be empty");
  EXPECT_EQ(message_of([] { fold_queries(10, 2, 0); }),
            "folds = 2; at least 3 are needed for train, valid and test");
  EXPECT_EQ(message_of([] { fold_queries(4, 5, 0); }), "4 queries cannot be cut into 5 folds");
}

}  // namespace
}  // namespace glassrank
