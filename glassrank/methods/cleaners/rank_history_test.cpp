#include "glassrank/methods/cleaners/rank_history.h"

#include <gtest/gtest.h>

#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/objectives/lambda_pairs.h"

namespace glassrank {
namespace {

TEST(RankHistory, IsTheOrderOfThePartialForests) {
  const Bookshop shop = make_bookshop({.queries = 30}, 2);
  LambdamartParams params;
  params.boosting.num_trees = 12;
  const Forest forest = train_lambdamart(shop.train, nullptr, params, Context{}).all_trees;
  const std::vector<std::uint32_t> rows = {0, 3, 60, 61, 62, 200};
  const std::vector<std::size_t> rounds = {1, 5, 12};
  const auto ranks = rank_history(forest, shop.train, rows, rounds, Context{});
  ASSERT_EQ(ranks.size(), rows.size());
  const auto query_of = shop.train.queries().query_of_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(ranks[i].size(), rounds.size());
    const RowRange range = shop.train.queries().rows(query_of[rows[i]]);
    for (std::size_t k = 0; k < rounds.size(); ++k) {
      const Forest part = forest.first_trees(rounds[k]);
      std::vector<double> scores;
      for (std::size_t row = range.begin; row < range.end; ++row) {
        scores.push_back(part.score(shop.train.row(row)));
      }
      const auto order = rank_order(scores);
      EXPECT_EQ(order[ranks[i][k]], rows[i] - range.begin);
    }
  }
}

TEST(RankHistory, LooksAtBothEndsAndAFewRoundsBetween) {
  using Rounds = std::vector<std::size_t>;
  EXPECT_EQ(history_rounds(1, 101), (Rounds{1, 11, 26, 51, 76, 101}));
  EXPECT_EQ(history_rounds(700, 1000), (Rounds{700, 730, 775, 850, 925, 1000}));
  EXPECT_EQ(history_rounds(1, 3), (Rounds{1, 2, 3}));
  EXPECT_EQ(history_rounds(5, 5), (Rounds{5}));
}

}  // namespace
}  // namespace glassrank
