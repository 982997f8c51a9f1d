#include "glassrank/explain/greedy/subset_terms.h"

#include <vector>

#include <gtest/gtest.h>

#include "glassrank/explain/greedy/kept_pairs_kernel.h"
#include "testing/masks_fixture.h"
#include "testing/on_every_target.h"
#include "testing/random_forests.h"
#include "testing/random_gams.h"

namespace glassrank {
namespace {

Fixed score_of(const SubsetTerms& terms, const std::vector<std::uint32_t>& set) {
  Fixed score = terms.none;
  for (std::size_t i = 0; i < set.size(); ++i) {
    score += terms.singles[set[i]];
    for (std::size_t j = 0; j < i; ++j) score += terms.pairs[pairs_below(set[i]) + set[j]];
  }
  if (set.size() == 3) {
    score += terms.triples[triples_below(set[2]) + pairs_below(set[1]) + set[0]];
  }
  return score;
}

// Calls body with every set of at most three features, ascending.
template <typename Body>
void for_each_set(std::uint32_t num_features, const Body& body) {
  body(std::vector<std::uint32_t>{});
  for (std::uint32_t c = 0; c < num_features; ++c) {
    body(std::vector{c});
    for (std::uint32_t b = 0; b < c; ++b) {
      body(std::vector{b, c});
      for (std::uint32_t a = 0; a < b; ++a) body(std::vector{a, b, c});
    }
  }
}

std::vector<std::uint32_t> all_features(std::size_t num_features) {
  std::vector<std::uint32_t> features;
  for (std::uint32_t f = 0; f < num_features; ++f) features.push_back(f);
  return features;
}

TEST(SubsetTerms, SumsOfAForestAreExactlyThoseOfMaskedRows) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({});
    const auto num_features = static_cast<std::uint32_t>(forest.num_features());
    const ForestTable table(forest, 1);
    const Rows document = random_rows(maker, forest, 1);
    const Rows typical = random_rows(maker, forest, 1);
    const BranchBits document_bits(table, document.view(), 1, {});
    const BranchBits typical_bits(table, typical.view(), 1, {});
    SubsetTerms terms(num_features, 0, num_features);
    add_forest_terms(table, {&document_bits, 0}, {&typical_bits, 0}, all_features(num_features), 3,
                     terms);
    for_each_set(num_features, [&](const std::vector<std::uint32_t>& set) {
      std::vector<float> row = typical.values;
      for (const std::uint32_t f : set) row[f] = document.values[f];
      Fixed expected = table.base_score;
      for (std::size_t t = 0; t < table.trees().size(); ++t) {
        expected += table.leaves_of(t)[leaf_of(table.trees()[t], row)];
      }
      ASSERT_EQ(score_of(terms, set), expected);
    });
  }
}

TEST(SubsetTerms, SumsOfAnAdditiveModelAreThoseOfMaskedRows) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    GamMaker maker(seed);
    const Gam gam = maker.gam({});
    const auto num_features = static_cast<std::uint32_t>(gam.num_features());
    const AdditiveTable table(gam, 1);
    const std::vector<float> document = maker.row(gam);
    const std::vector<float> typical = maker.row(gam);
    SubsetTerms terms(num_features, 0, num_features);
    add_additive_terms(table, document, typical, all_features(num_features), 3, terms);
    for_each_set(num_features, [&](const std::vector<std::uint32_t>& set) {
      std::vector<float> row = typical;
      for (const std::uint32_t f : set) row[f] = document[f];
      ASSERT_NEAR(table.point().value(score_of(terms, set)), gam.score(row),
                  1e-13 * score_bound(gam) + 1e-300);
    });
  }
}

TEST(SubsetTerms, ARangeOfLargestFeaturesHasTheSameTriples) {
  ForestMaker maker(11);
  Forest forest = maker.forest({});
  while (forest.num_features() < 7 || forest.trees().size() < 3) forest = maker.forest({});
  const std::size_t num_features = forest.num_features();
  const ForestTable table(forest, 1);
  const Rows rows = random_rows(maker, forest, 2);
  const BranchBits bits(table, rows.view(), 1, {});
  SubsetTerms all(num_features, 0, num_features);
  SubsetTerms some(num_features, 4, 6);
  for (SubsetTerms* terms : {&all, &some}) {
    add_forest_terms(table, {&bits, 0}, {&bits, 1}, all_features(num_features), 3, *terms);
  }
  const auto begin = all.triples.begin() + static_cast<std::ptrdiff_t>(triples_below(4));
  EXPECT_EQ(some.triples,
            std::vector<Fixed>(begin, begin + static_cast<std::ptrdiff_t>(some.triples.size())));
  EXPECT_EQ(some.pairs, all.pairs);
}

TEST(KeptPairs, AreCountedForEveryListAsOneByOne) {
  RandomSequence random(CounterRandom(4, "lists"));
  constexpr std::size_t kLists = 24;
  constexpr std::size_t kDocuments = 7;
  Buffer<Fixed> scores(kLists * kDocuments);
  for (Fixed& score : scores.span()) score = random.below(5) - 2;
  std::vector<DocumentPair> pairs;
  for (std::uint32_t a = 0; a < kDocuments; ++a) {
    for (std::uint32_t b = a + 1; b < kDocuments; ++b) pairs.push_back({a, b, 1});
  }
  on_every_target([&] {
    Buffer<std::int64_t> kept(kLists);
    count_kept_pairs(pairs, scores.data(), kLists, kept.data());
    for (std::size_t i = 0; i < kLists; ++i) {
      std::int64_t expected = 0;
      for (const DocumentPair& pair : pairs) {
        const auto upper = static_cast<std::int64_t>(scores[pair.upper * kLists + i]);
        const auto lower = static_cast<std::int64_t>(scores[pair.lower * kLists + i]);
        expected += upper > lower ? 1 : (upper < lower ? -1 : 0);
      }
      EXPECT_EQ(kept[i], expected);
    }
  });
}

}  // namespace
}  // namespace glassrank
