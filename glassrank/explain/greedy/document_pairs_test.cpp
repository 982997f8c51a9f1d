#include "glassrank/explain/greedy/document_pairs.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

ExplainedQuery query_of(std::vector<double> scores, const std::vector<float>& rows) {
  ExplainedQuery query;
  query.id = "7";
  query.rows = {rows.data(), scores.size(), 1};
  query.scores = std::move(scores);
  query.ranking = rank_documents(query.scores);
  query.ranks.resize(query.ranking.size());
  for (std::size_t r = 0; r < query.ranking.size(); ++r) {
    query.ranks[query.ranking[r]] = static_cast<std::uint32_t>(r);
  }
  return query;
}

class DocumentPairs : public ::testing::Test {
 protected:
  const std::vector<float> rows_ = std::vector<float>(100);
  // Ranking: 2, then 0 and 3 tied, then 1.
  const ExplainedQuery query_ = query_of({5, 1, 9, 5}, rows_);
};

TEST_F(DocumentPairs, OfARankingAreAllThatTheScoresOrder) {
  EXPECT_EQ(pairs_of(query_, Target::of_ranking(), PairWeights::kRankDifference),
            (std::vector<DocumentPair>{{2, 0, 1}, {2, 3, 2}, {2, 1, 3}, {0, 1, 2}, {3, 1, 1}}));
}

TEST_F(DocumentPairs, OfADocumentAreThoseItTakesPartIn) {
  EXPECT_EQ(pairs_of(query_, Target::of_document(3), PairWeights::kNone),
            (std::vector<DocumentPair>{{2, 3, 1}, {3, 1, 1}}));
}

TEST_F(DocumentPairs, OfAPairIsTheOneAboveTheOther) {
  EXPECT_EQ(pairs_of(query_, Target::of_pair(1, 2), PairWeights::kNone),
            (std::vector<DocumentPair>{{2, 1, 1}}));
  EXPECT_TRUE(pairs_of(query_, Target::of_pair(0, 3), PairWeights::kNone).empty());
}

TEST_F(DocumentPairs, AgreementOfADocumentCountsItsPairs) {
  // Kept above 1, now above 2 too: one kept, one turned.
  const std::vector<double> others = {0, 1, 2, 3};
  EXPECT_EQ(order_agreement(query_, Target::of_document(3), others, Tau::kA), 0);
  EXPECT_EQ(order_agreement(query_, Target::of_pair(2, 1), others, Tau::kA), 1);
  // 2 above 0, 2 above 1, 3 above 1 kept; 2 above 3 and 0 above 1 turned; 0 and 3 were tied.
  EXPECT_DOUBLE_EQ(order_agreement(query_, Target::of_ranking(), others, Tau::kA), 1.0 / 6);
}

TEST_F(DocumentPairs, ASampleIsSomeOfThemWithoutRepetition) {
  std::vector<double> scores(40);
  for (std::size_t d = 0; d < scores.size(); ++d) scores[d] = static_cast<double>(d / 2);
  const ExplainedQuery query = query_of(scores, rows_);
  const auto all = pairs_of(query, Target::of_ranking(), PairWeights::kRankDifference);
  EXPECT_EQ(all.size(), 40U * 39 / 2 - 20);
  for (const bool favours_top : {false, true}) {
    const auto some = sample_pairs(query, Target::of_ranking(), PairWeights::kRankDifference,
                                   {.max_pairs = 50, .seed = 3, .favours_top = favours_top});
    ASSERT_EQ(some.size(), 50U);
    std::set<std::pair<std::uint32_t, std::uint32_t>> met;
    for (const DocumentPair& pair : some) {
      EXPECT_NE(std::ranges::find(all, pair), all.end());
      EXPECT_TRUE(met.emplace(pair.upper, pair.lower).second);
    }
  }
  const PairSample sample{.max_pairs = 50, .seed = 3};
  const auto first = sample_pairs(query, Target::of_ranking(), PairWeights::kNone, sample);
  EXPECT_EQ(sample_pairs(query, Target::of_ranking(), PairWeights::kNone, sample), first);
  EXPECT_NE(
      sample_pairs(query, Target::of_ranking(), PairWeights::kNone, {.max_pairs = 50, .seed = 4}),
      first);
  EXPECT_EQ(sample_pairs(query, Target::of_ranking(), PairWeights::kRankDifference,
                         {.max_pairs = all.size(), .seed = 3}),
            all);
}

TEST_F(DocumentPairs, SamplesAreUniformOrFavourTheTop) {
  std::vector<double> scores(10);
  for (std::size_t d = 0; d < scores.size(); ++d) scores[d] = -static_cast<double>(d);
  const ExplainedQuery query = query_of(scores, rows_);
  // How often the best document is the upper one of a pair: 9 of 45 pairs.
  const auto share_of_first = [&](bool favours_top) {
    std::size_t first = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      for (const DocumentPair& pair :
           sample_pairs(query, Target::of_ranking(), PairWeights::kNone,
                        {.max_pairs = 5, .seed = seed, .favours_top = favours_top})) {
        first += pair.upper == 0 ? 1 : 0;
      }
    }
    return static_cast<double>(first) / 10000;
  };
  EXPECT_NEAR(share_of_first(false), 9.0 / 45, 0.015);
  // In proportion to 9 for the first, 8 for the second, ...: 81 of 285 for the first draw.
  EXPECT_NEAR(share_of_first(true), 81.0 / 285, 0.03);
}

}  // namespace
}  // namespace glassrank
