#include "glassrank/explain/greedy/greedy_search.h"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

// Scores by the set of known features, for three documents; a set that is not listed scores 0.
class TableScores final : public ExtensionScores {
 public:
  explicit TableScores(std::map<std::vector<std::uint32_t>, std::vector<double>> table)
      : table_(std::move(table)) {}

  void extend(std::span<const std::uint32_t> known, std::span<const std::uint32_t> candidates,
              std::span<double> scores, const Context& /*context*/) override {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      std::vector<std::uint32_t> set(known.begin(), known.end());
      set.push_back(candidates[i]);
      std::ranges::sort(set);
      const auto found = table_.find(set);
      for (std::size_t d = 0; d < 3; ++d) {
        scores[i * 3 + d] = found == table_.end() ? 0 : found->second[d];
      }
    }
  }

 private:
  std::map<std::vector<std::uint32_t>, std::vector<double>> table_;
};

// Documents 0 above 1 above 2; weights are differences of rank.
const std::vector<DocumentPair> kPairs = {{0, 1, 1}, {0, 2, 2}, {1, 2, 1}};
const std::vector<std::uint32_t> kFeatures = {0, 1, 2};

GreedyResult search(const GreedyRule& rule,
                    std::map<std::vector<std::uint32_t>, std::vector<double>> table) {
  TableScores scores(std::move(table));
  const auto kept = [](std::span<const double> of) {
    double sum = 0;
    for (const DocumentPair& pair : kPairs) {
      sum += of[pair.upper] > of[pair.lower] ? 1 : 0;
      sum -= of[pair.upper] < of[pair.lower] ? 1 : 0;
    }
    return sum / 3;
  };
  return greedy_search(
      rule, {.num_documents = 3, .pairs = kPairs, .candidates = kFeatures, .agreement = kept},
      scores, {});
}

TEST(GreedySearch, StopsWhereUtilityDoesNotRise) {
  // u = (s0 - s1) + 2 (s0 - s2) + (s1 - s2). Feature 1 alone: 1 + 2 + 0 = 3, then 0 + 1: 3 again.
  const std::map<std::vector<std::uint32_t>, std::vector<double>> table = {
      {{0}, {0.5, 0, 0}}, {{1}, {1, 0, 0}}, {{0, 1}, {1, 0, 0}}, {{1, 2}, {0.5, 0.5, 0}}};
  const GreedyRule rule{.variant = GreedyVariant::kGreedy, .k = 3, .starts = 1};
  EXPECT_EQ(search(rule, table).features, (std::vector<std::uint32_t>{1}));
  // The released program goes on while it does not fall, and keeps the feature that lets it fall.
  GreedyRule released = rule;
  released.as_released = true;
  EXPECT_EQ(search(released, table).features, (std::vector<std::uint32_t>{1, 0, 2}));
}

TEST(GreedySearch, CoverLooksAtThePairsThatAreLeft) {
  // Feature 0 orders 0 above the others. For the pair (1, 2) that is left, feature 2 is best:
  // z = 0.2 against 0.1, though feature 1 does more for all pairs.
  const std::map<std::vector<std::uint32_t>, std::vector<double>> table = {
      {{0}, {3, 0, 0}},
      {{0, 1}, {9, 0.1, 0}},
      {{0, 2}, {3, 0.2, 0}},
  };
  EXPECT_EQ(search({.variant = GreedyVariant::kGreedy, .k = 2, .starts = 1}, table).features,
            (std::vector<std::uint32_t>{0, 1}));
  const GreedyResult cover = search({.variant = GreedyVariant::kCover, .k = 2, .starts = 1}, table);
  EXPECT_EQ(cover.features, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(cover.agreement, 1);
  EXPECT_EQ(cover.scores, (std::vector<double>{3, 0.2, 0}));
  // Feature 0 keeps two pairs of three, feature 2 the last one.
  EXPECT_EQ(cover.base, 0);
  EXPECT_EQ(cover.gains, (std::vector<double>{2.0 / 3, 1 - 2.0 / 3}));
}

TEST(GreedySearch, CoverStopsWhenAllPairsAreInOrder) {
  const std::map<std::vector<std::uint32_t>, std::vector<double>> table = {{{2}, {3, 2, 1}},
                                                                           {{1, 2}, {6, 4, 2}}};
  EXPECT_EQ(search({.variant = GreedyVariant::kCover, .k = 3, .starts = 1}, table).features,
            (std::vector<std::uint32_t>{2}));
  // z = 1, 4, 1: their mean is 2, so only the pair (0, 2) is settled, and the next feature looks
  // at the others.
  EXPECT_EQ(search({.variant = GreedyVariant::kCoverEps, .k = 2, .starts = 1}, table).features,
            (std::vector<std::uint32_t>{2, 1}));
}

TEST(GreedySearch, CoverGoesOnUntilAPairIsCovered) {
  // No feature alone tells the documents apart; 0 and 1 together order all of them.
  const std::map<std::vector<std::uint32_t>, std::vector<double>> table = {{{0, 1}, {3, 2, 1}}};
  for (const GreedyVariant variant : {GreedyVariant::kCover, GreedyVariant::kCoverEps}) {
    GreedyRule rule{.variant = variant, .k = 2, .starts = 1};
    const GreedyResult found = search(rule, table);
    EXPECT_EQ(found.features, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(found.agreement, 1);
  }
  // The released program stops for want of a mean.
  EXPECT_EQ(
      search({.variant = GreedyVariant::kCoverEps, .k = 2, .starts = 1, .as_released = true}, table)
          .features,
      (std::vector<std::uint32_t>{0}));
}

TEST(GreedySearch, ABetterRunMayStartWithTheSecondFeature) {
  // Feature 0 has the largest utility but turns the pair (1, 2); features 1 and 2 keep all.
  const std::map<std::vector<std::uint32_t>, std::vector<double>> table = {{{0}, {9, 0, 1}},
                                                                           {{1}, {2, 1, 0}}};
  const GreedyRule one{.variant = GreedyVariant::kGreedy, .k = 1, .starts = 1};
  EXPECT_EQ(search(one, table).features, (std::vector<std::uint32_t>{0}));
  GreedyRule two = one;
  two.starts = 2;
  EXPECT_EQ(search(two, table).features, (std::vector<std::uint32_t>{1}));
}

TEST(GreedySearch, EqualRunsGoToTheLowerNumbersOrInTheReleasedProgramToTheLater) {
  const std::map<std::vector<std::uint32_t>, std::vector<double>> table = {{{0}, {3, 2, 1}},
                                                                           {{2}, {3, 2, 1}}};
  GreedyRule rule{.variant = GreedyVariant::kGreedy, .k = 1, .starts = 3};
  EXPECT_EQ(search(rule, table).features, (std::vector<std::uint32_t>{0}));
  rule.as_released = true;
  rule.starts = 2;
  EXPECT_EQ(search(rule, table).features, (std::vector<std::uint32_t>{2}));
}

}  // namespace
}  // namespace glassrank
