#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/explain/shapley/coalition_sizes.h"
#include "glassrank/explain/shapley/paired_coalitions.h"
#include "glassrank/explain/shapley/shap_coalitions.h"

namespace glassrank {
namespace {

CounterRandom some_random(std::uint64_t lane = 0) { return {7, "coalitions test", lane}; }

std::string text_of(const CoalitionSet& set, std::size_t entry, bool complement = false) {
  std::string text;
  for (std::size_t i = 0; i < set.num_players; ++i) {
    text += (set.row(entry)[i] != 0) != complement ? '1' : '0';
  }
  return text;
}

// Weight of every coalition, a pair's shared by both.
std::map<std::string, double> weights_of(const CoalitionSet& set) {
  std::map<std::string, double> weights;
  for (std::size_t e = 0; e < set.size(); ++e) {
    const bool has_complement = set.entries[e].has_complement;
    const double weight = set.entries[e].weight / (has_complement ? 2 : 1);
    EXPECT_TRUE(weights.emplace(text_of(set, e), weight).second);
    if (!has_complement) continue;
    EXPECT_TRUE(weights.emplace(text_of(set, e, true), weight).second);
  }
  return weights;
}

double sum_of_weights(const CoalitionSet& set) {
  double sum = 0;
  for (const auto& entry : set.entries) sum += entry.weight;
  return sum;
}

// 4 players: sizes 1 and 3 weigh 3 / (1 * 3) each, size 2 weighs 3 / (2 * 2): 2 and 3/4 of 11/4.
TEST(CoalitionSizes, OfFourPlayers) {
  const auto sizes = coalition_sizes(4);
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_DOUBLE_EQ(sizes[0].share, 8.0 / 11);
  EXPECT_EQ(sizes[0].num_subsets, 8);
  EXPECT_FALSE(sizes[0].is_half);
  EXPECT_DOUBLE_EQ(sizes[1].share, 3.0 / 11);
  EXPECT_EQ(sizes[1].num_subsets, 6);
  EXPECT_TRUE(sizes[1].is_half);
}

TEST(CoalitionSizes, SharesAddUpToOne) {
  for (std::size_t players = 2; players < 60; ++players) {
    double sum = 0;
    for (const auto& size : coalition_sizes(players)) sum += size.share;
    EXPECT_NEAR(sum, 1, 1e-12) << players;
  }
}

// 46 features and 200 samples: 46.5 of them would fall on the 92 coalitions of sizes 1 and 45, too
// few; of 500 samples 116 do.
TEST(CoalitionSizes, AreCompleteWhereTheSamplesSuffice) {
  EXPECT_EQ(num_full_sizes(coalition_sizes(46), 200), 0U);
  EXPECT_EQ(num_full_sizes(coalition_sizes(46), 500), 1U);
  EXPECT_EQ(num_full_sizes(coalition_sizes(136), 200), 0U);
  EXPECT_EQ(num_full_sizes(coalition_sizes(10), 1022), 5U);
}

TEST(CoalitionSizes, SubsetsAreAllDifferentAndOfTheirSize) {
  std::set<std::vector<std::uint8_t>> seen;
  for_each_subset(7, 3, [&](const std::vector<std::uint8_t>& members) {
    EXPECT_EQ(std::count(members.begin(), members.end(), 1), 3);
    seen.insert(members);
  });
  EXPECT_EQ(seen.size(), 35U);
}

// With samples for all of them, both samplers have every coalition with its kernel weight.
TEST(Coalitions, AreAllThereWhenTheSamplesSuffice) {
  for (std::size_t players = 2; players <= 9; ++players) {
    const std::uint64_t all = (std::uint64_t{1} << players) - 2;
    PairedCoalitions paired(players, all, some_random());
    paired.grow(all);
    const auto of_paired = weights_of(paired.set());
    const auto of_shap = weights_of(shap_coalitions(players, all, some_random()));
    ASSERT_EQ(of_paired.size(), all);
    ASSERT_EQ(of_shap.size(), all);
    double harmonic = 0;
    for (std::size_t s = 1; s < players; ++s)
      harmonic += 1.0 / static_cast<double>(s * (players - s));
    for (const auto& [members, weight] : of_paired) {
      const auto s = static_cast<std::size_t>(std::count(members.begin(), members.end(), '1'));
      const double expected = 1.0 / static_cast<double>(s * (players - s)) / harmonic /
                              std::round(std::exp(log_num_subsets(players, s)));
      EXPECT_NEAR(weight, expected, 1e-14) << members;
      EXPECT_NEAR(of_shap.at(members), expected, 1e-14) << members;
    }
  }
}

TEST(Coalitions, OfASampleAreDifferentAndTheirWeightsAddUpToOne) {
  for (const std::size_t players : {12, 13, 40, 200}) {
    for (const std::uint64_t samples : {100, 1000}) {
      PairedCoalitions paired(players, samples, some_random());
      paired.grow(samples);
      const CoalitionSet shap = shap_coalitions(players, samples, some_random());
      for (const CoalitionSet* set : {&paired.set(), &shap}) {
        EXPECT_EQ(weights_of(*set).size(), set->num_evaluations());
        EXPECT_LE(set->num_evaluations(), samples);
        EXPECT_GE(set->num_evaluations(), samples - 1);
        EXPECT_NEAR(sum_of_weights(*set), 1, 1e-9);
      }
    }
  }
}

TEST(PairedCoalitions, GrowWithoutLosingWhatWasThere) {
  PairedCoalitions grown(20, 400, some_random());
  grown.grow(150);
  const std::vector<std::uint8_t> before = grown.set().members;
  grown.grow(400);
  PairedCoalitions at_once(20, 400, some_random());
  at_once.grow(400);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), grown.set().members.begin()));
  EXPECT_EQ(grown.set().members, at_once.set().members);
  for (std::size_t e = 0; e < grown.set().size(); ++e) {
    EXPECT_EQ(grown.set().entries[e].weight, at_once.set().entries[e].weight);
  }
}

// The sum over drawn pairs of weight(pair) f(pair) has the sum over all pairs as its expectation.
// f = the size of the smaller side, of 6 players with 20 samples of 62.
TEST(PairedCoalitions, WeightsMakeSumsRightOnAverage) {
  double expected = 0;
  for (const auto& size : coalition_sizes(6)) {
    expected += size.share * static_cast<double>(size.size);
  }
  double mean = 0;
  constexpr int kRuns = 2000;
  for (int run = 0; run < kRuns; ++run) {
    PairedCoalitions paired(6, 20, some_random(static_cast<std::uint64_t>(run)));
    paired.grow(20);
    for (std::size_t e = 0; e < paired.set().size(); ++e) {
      const std::string members = text_of(paired.set(), e);
      const auto s = static_cast<double>(std::count(members.begin(), members.end(), '1'));
      mean += paired.set().entries[e].weight * std::min(s, 6 - s) / kRuns;
    }
  }
  EXPECT_NEAR(mean, expected, 0.02);
}

// 2000 draws among the coalitions of 5 players (30) are mostly repeats: all are found, and how
// often they came is their weight.
TEST(ShapCoalitions, RepeatsGainWeight) {
  const CoalitionSet set = shap_coalitions(5, 28, some_random());
  double of_size_one = 0;
  for (std::size_t e = 0; e < set.size(); ++e) {
    const std::string members = text_of(set, e);
    const auto s = std::count(members.begin(), members.end(), '1');
    if (s == 1 || s == 4) of_size_one += set.entries[e].weight;
  }
  EXPECT_NEAR(of_size_one, coalition_sizes(5)[0].share, 1e-12);
  EXPECT_NEAR(sum_of_weights(set), 1, 1e-12);
}

}  // namespace
}  // namespace glassrank
