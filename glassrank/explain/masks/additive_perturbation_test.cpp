#include "glassrank/explain/masks/additive_perturbation.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/explain/masks/fixed_point.h"
#include "testing/masks_fixture.h"
#include "testing/on_every_target.h"
#include "testing/random_gams.h"

namespace glassrank {
namespace {

struct Answers {
  std::vector<double> scores;
  std::vector<double> means;
};

Answers ask(const Perturbation& perturbation, FeatureMasks masks, const Context& context = {}) {
  const std::size_t num_means = masks.num_rows() * perturbation.num_documents();
  Answers answers{.scores = std::vector<double>(num_means * perturbation.num_references()),
                  .means = std::vector<double>(num_means)};
  perturbation.scores(masks, answers.scores, context);
  perturbation.mean_scores(masks, answers.means, context);
  return answers;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], tolerance) << "number " << i;
  }
}

TEST(AdditivePerturbation, ScoresAndMeansAreThoseOfMaskedRows) {
  on_every_target([] {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      GamMaker maker(seed);
      const Gam gam = maker.gam({});
      const ModelSubject subject({.body = gam, .provenance = {}});
      const Rows documents = random_rows(maker, gam, 1 + seed % 5);
      const Rows references = random_rows(maker, gam, 1 + seed % 7);
      RandomSequence random(CounterRandom(seed, "masks"));
      const Masks masks = random_masks(random, 1 + seed * 7 % 130, gam.num_features());
      const auto fast =
          make_perturbation(subject.subject(), documents.view(), references.view(), {});
      const auto plain =
          make_plain_perturbation(*subject.scorer, documents.view(), references.view());
      const Answers got = ask(*fast, masks.view());
      const Answers expected = ask(*plain, masks.view());
      const double tolerance = 1e-13 * score_bound(gam) + 1e-300;
      expect_near(got.scores, expected.scores, tolerance);
      expect_near(got.means, expected.means, tolerance);
      const Rows others = random_rows(maker, gam, 2);
      const Answers changed = ask(*fast->with_documents(others.view(), {}), masks.view());
      expect_near(changed.scores,
                  ask(*plain->with_documents(others.view(), {}), masks.view()).scores, tolerance);
    }
  });
}

TEST(AdditivePerturbation, SameBytesForAnyNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    GamMaker maker(seed);
    const Gam gam = maker.gam({});
    const Rows documents = random_rows(maker, gam, 9);
    const Rows references = random_rows(maker, gam, 11);
    RandomSequence random(CounterRandom(seed, "masks"));
    const Masks masks = random_masks(random, 70, gam.num_features());
    const auto fast = make_additive_perturbation(gam, documents.view(), references.view());
    const Answers one = ask(*fast, masks.view(), with_threads(1));
    for (const int threads : {2, 4}) {
      const Answers many = ask(*fast, masks.view(), with_threads(threads));
      EXPECT_EQ(many.scores, one.scores);
      EXPECT_EQ(many.means, one.means);
    }
  }
}

TEST(AdditivePerturbation, ASurfaceByHand) {
  // 1 + surface of a and b, each below or above 0: 0, 10 / 20, 100, and 5 where one is missing.
  const GamEffect surface{.axes = {{.feature = 0, .edges = {0}}, {.feature = 1, .edges = {0}}},
                          .values = {0, 10, 5, 20, 100, 5, 5, 5, 5},
                          .errors = {},
                          .weights = {}};
  const Gam gam({.effects = {surface}, .num_features = 2, .feature_names = {}, .intercept = 1});
  const std::vector<float> document = {1, 1};
  const std::vector<float> reference = {-1, -1};
  const auto fast =
      make_additive_perturbation(gam, {document.data(), 1, 2}, {reference.data(), 1, 2});
  const Masks masks{.values = {0, 0, 1, 0, 0, 1, 1, 1}, .width = 2};
  EXPECT_EQ(ask(*fast, masks.view()).scores, (std::vector<double>{1, 21, 11, 101}));
}

}  // namespace
}  // namespace glassrank
