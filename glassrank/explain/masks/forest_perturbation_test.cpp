#include "glassrank/explain/masks/forest_perturbation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/explain/masks/fixed_point.h"
#include "testing/masks_fixture.h"
#include "testing/message_of.h"
#include "testing/on_every_target.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

std::vector<double> scores_of(const Perturbation& perturbation, FeatureMasks masks,
                              const Context& context = {}) {
  std::vector<double> scores(masks.num_rows() * perturbation.num_references() *
                             perturbation.num_documents());
  perturbation.scores(masks, scores, context);
  return scores;
}

std::vector<double> means_of(const Perturbation& perturbation, FeatureMasks masks,
                             const Context& context = {}) {
  std::vector<double> means(masks.num_rows() * perturbation.num_documents());
  perturbation.mean_scores(masks, means, context);
  return means;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], tolerance) << "number " << i;
  }
}

// What one random forest is asked: some documents, references and masks.
struct Case {
  Case(std::uint64_t seed, std::size_t num_documents, std::size_t num_references,
       std::size_t num_masks)
      : maker(seed),
        forest(maker.forest({})),
        subject({.body = forest, .provenance = {}}),
        documents(random_rows(maker, forest, num_documents)),
        references(random_rows(maker, forest, num_references)) {
    RandomSequence random(CounterRandom(seed, "masks"));
    masks = random_masks(random, num_masks, forest.num_features());
    plain = make_plain_perturbation(*subject.scorer, documents.view(), references.view());
    fast = make_perturbation(subject.subject(), documents.view(), references.view(), {});
    tolerance = 1e-13 * std::max(score_bound(forest), 1e-300);
  }

  ForestMaker maker;
  Forest forest;
  ModelSubject subject;
  Rows documents;
  Rows references;
  Masks masks;
  std::unique_ptr<const Perturbation> plain;
  std::unique_ptr<const Perturbation> fast;
  double tolerance = 0;
};

TEST(ForestPerturbation, ScoresAreThoseOfMaskedRows) {
  on_every_target([] {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const Case c(seed, 1 + seed % 5, 1 + seed % 4, 1 + seed * 7 % 130);
      expect_near(scores_of(*c.fast, c.masks.view()), scores_of(*c.plain, c.masks.view()),
                  c.tolerance);
    }
  });
}

TEST(ForestPerturbation, MeansAreThoseOfMaskedRows) {
  on_every_target([] {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const Case c(seed, 1 + seed % 3, 1 + seed * 31 % 90, 1 + seed * 7 % 130);
      expect_near(means_of(*c.fast, c.masks.view()), means_of(*c.plain, c.masks.view()),
                  c.tolerance);
    }
  });
}

TEST(ForestPerturbation, MoreMasksAndReferencesThanABlockHolds) {
  const Case c(3, 2, 3, 2500);
  expect_near(scores_of(*c.fast, c.masks.view()), scores_of(*c.plain, c.masks.view()), c.tolerance);
  const Case many(4, 1, 1100, 600);
  expect_near(means_of(*many.fast, many.masks.view()), means_of(*many.plain, many.masks.view()),
              many.tolerance);
}

TEST(ForestPerturbation, SameBytesForAnyNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Case c(seed, 7, 70, 300);
    const auto scores = scores_of(*c.fast, c.masks.view(), with_threads(1));
    const auto means = means_of(*c.fast, c.masks.view(), with_threads(1));
    for (const int threads : {2, 4}) {
      EXPECT_EQ(scores_of(*c.fast, c.masks.view(), with_threads(threads)), scores);
      EXPECT_EQ(means_of(*c.fast, c.masks.view(), with_threads(threads)), means);
    }
  }
}

TEST(ForestPerturbation, OtherDocumentsWithTheSameReferences) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Case c(seed, 3, seed % 2 == 0 ? 2 : 20, 10);
    const Rows others = random_rows(c.maker, c.forest, 5);
    const auto changed = c.fast->with_documents(others.view(), {});
    const auto plain = c.plain->with_documents(others.view(), {});
    c.fast.reset();  // what is shared stays
    EXPECT_EQ(changed->num_documents(), 5U);
    expect_near(scores_of(*changed, c.masks.view()), scores_of(*plain, c.masks.view()),
                c.tolerance);
    expect_near(means_of(*changed, c.masks.view()), means_of(*plain, c.masks.view()), c.tolerance);
  }
}

TEST(ForestPerturbation, DocumentsInTheSameLeavesAreTied) {
  // Values whose sums round differently in different orders; the documents are the same but for a
  // feature that no tree uses.
  Case c(5, 1, 1, 40);
  Rows twice{.values = c.documents.values, .width = c.documents.width};
  twice.values.insert(twice.values.end(), c.documents.values.begin(), c.documents.values.end());
  const auto fast = make_perturbation(c.subject.subject(), twice.view(), c.references.view(), {});
  const auto scores = scores_of(*fast, c.masks.view());
  for (std::size_t i = 0; i < scores.size(); i += 2) EXPECT_EQ(scores[i], scores[i + 1]);
}

TEST(ForestPerturbation, OneTreeByHand) {
  // a <= 0 ? 1 : (b <= 0 ? 10 : 100); document (1, 1), reference (-1, -1).
  const Tree tree{.nodes = {{.feature = 0, .threshold = 0, .left = ~0, .right = 1},
                            {.feature = 1, .threshold = 0, .left = ~1, .right = ~2}},
                  .leaf_values = {1, 10, 100},
                  .statistics = {}};
  const ModelSubject subject(
      {.body = Forest({.trees = {tree}, .num_features = 2, .feature_names = {}, .base_score = 0.5}),
       .provenance = {}});
  const std::vector<float> document = {1, 1};
  const std::vector<float> reference = {-1, -1};
  const auto fast =
      make_perturbation(subject.subject(), {document.data(), 1, 2}, {reference.data(), 1, 2}, {});
  const Masks masks{.values = {0, 0, 1, 0, 0, 1, 1, 1}, .width = 2};
  EXPECT_EQ(scores_of(*fast, masks.view()), (std::vector<double>{1.5, 10.5, 1.5, 100.5}));
}

TEST(ForestPerturbation, TooFewFeaturesAreAnError) {
  const Case c(1, 1, 1, 1);
  const std::vector<float> row(c.forest.num_features());
  const std::size_t narrow = c.forest.num_features() - 1;
  EXPECT_EQ(message_of([&] {
              make_perturbation(c.subject.subject(), {row.data(), 1, narrow}, c.references.view(),
                                {});
            }),
            fmt::format("documents to explain: 1 rows of {} features; at least one row of {} is "
                        "needed",
                        narrow, narrow + 1));
}

}  // namespace
}  // namespace glassrank
