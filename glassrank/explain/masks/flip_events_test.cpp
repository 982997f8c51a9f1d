#include "glassrank/explain/masks/flip_events.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/explain/masks/extension_scores.h"
#include "testing/masks_fixture.h"
#include "testing/on_every_target.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

// The masked row's leaves, in the same whole numbers.
Fixed masked_sum(const ForestTable& table, std::span<const float> document,
                 std::span<const float> typical, const std::vector<bool>& known) {
  std::vector<float> row(typical.begin(), typical.end());
  for (std::size_t f = 0; f < row.size(); ++f) {
    if (known[f]) row[f] = document[f];
  }
  Fixed sum = table.base_score;
  for (std::size_t t = 0; t < table.trees().size(); ++t) {
    sum += table.leaves_of(t)[leaf_of(table.trees()[t], row)];
  }
  return sum;
}

std::vector<std::uint32_t> random_set(RandomSequence& random, std::size_t num_features) {
  std::vector<std::uint32_t> set;
  for (std::uint32_t f = 0; f < num_features; ++f) {
    if (random.below(3) == 0) set.push_back(f);
  }
  return set;
}

void expect_exact(const Forest& forest, ForestMaker& maker, std::size_t num_documents,
                  RandomSequence& random) {
  const ForestTable table(forest, 1);
  const std::size_t num_features = forest.num_features();
  const Rows documents = random_rows(maker, forest, num_documents);
  const std::vector<float> typical = maker.row(forest);
  FlipEvents events(table, documents.view(), typical, {});
  std::vector<Fixed> sums(num_features * num_documents);
  for (int round = 0; round < 4; ++round) {
    const std::vector<std::uint32_t> known =
        round == 0 ? std::vector<std::uint32_t>{} : random_set(random, num_features);
    events.extend(known, sums, {});
    std::vector<bool> set(num_features);
    for (const std::uint32_t f : known) set[f] = true;
    for (std::size_t f = 0; f < num_features; ++f) {
      std::vector<bool> extended = set;
      extended[f] = true;
      for (std::size_t d = 0; d < num_documents; ++d) {
        ASSERT_EQ(sums[f * num_documents + d],
                  masked_sum(table, documents.view().row(d), typical, extended))
            << "feature " << f << ", document " << d;
      }
    }
  }
}

TEST(FlipEvents, SumsAreExactlyThoseOfMaskedRows) {
  on_every_target([] {
    RandomSequence random(CounterRandom(1, "sets"));
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
      ForestMaker maker(seed);
      expect_exact(maker.forest({}), maker, 1 + seed * 5 % 40, random);
    }
  });
}

// One after the other's trees: more than a thread takes at a time, and more features than bits.
Forest large_forest(ForestMaker& maker) {
  ForestParts parts;
  parts.num_features = 150;
  std::size_t shift = 0;
  while (parts.trees.size() < 600) {
    const Forest forest = maker.forest({});
    for (Tree tree : forest.trees()) {
      for (TreeNode& node : tree.nodes) {
        node.feature = static_cast<std::uint32_t>((node.feature * 17 + shift) % 150);
      }
      parts.trees.push_back(tree);
    }
    ++shift;
  }
  return Forest(std::move(parts));
}

TEST(FlipEvents, ManyDocumentsTreesAndFeatures) {
  ForestMaker maker(5);
  RandomSequence random(CounterRandom(2, "sets"));
  expect_exact(large_forest(maker), maker, 150, random);
}

TEST(FlipEvents, SameBytesForAnyNumberOfThreads) {
  ForestMaker maker(6);
  const Forest forest = large_forest(maker);
  const ForestTable table(forest, 1);
  const Rows documents = random_rows(maker, forest, 20);
  const std::vector<float> typical = maker.row(forest);
  const std::vector<std::uint32_t> known = {3, 70, 141};
  std::vector<std::vector<Fixed>> all;
  for (const int threads : {1, 2, 4}) {
    const Context context = with_threads(threads);
    FlipEvents events(table, documents.view(), typical, context);
    events.extend(known, all.emplace_back(150 * 20), context);
    EXPECT_EQ(all.back(), all.front());
  }
}

TEST(ExtensionScores, OfAForestAreThoseOfItsMasks) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({});
    const ModelSubject subject({.body = forest, .provenance = {}});
    const Rows documents = random_rows(maker, forest, 7);
    const std::vector<float> typical = maker.row(forest);
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t f = 1; f < forest.num_features(); ++f) candidates.push_back(f);
    const std::vector<std::uint32_t> known = {0};
    std::vector<double> fast(candidates.size() * 7);
    std::vector<double> masked(fast.size());
    make_extension_scores(subject.subject(), documents.view(), typical, {})
        ->extend(known, candidates, fast, {});
    make_masked_extension_scores(subject.subject(), documents.view(), typical, {})
        ->extend(known, candidates, masked, {});
    EXPECT_EQ(fast, masked);
  }
}

}  // namespace
}  // namespace glassrank
