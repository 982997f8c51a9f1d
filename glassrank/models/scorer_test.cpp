#include "glassrank/models/scorer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/models/model.h"
#include "testing/message_of.h"
#include "testing/random_forests.h"
#include "testing/random_gams.h"
#include "testing/small_models.h"
#include "testing/study_fixture.h"

namespace glassrank {
namespace {

constexpr std::size_t kRows = 40;

// scores = what score_row gives, to the bit, NaN-free by construction.
template <typename Maker, typename Body>
void check_scorer(Maker& maker, const Body& body) {
  std::vector<float> values;
  for (std::size_t r = 0; r < kRows; ++r) {
    const std::vector<float> row = maker.row(body);
    values.insert(values.end(), row.begin(), row.end());
  }
  const std::size_t width = body.num_features();
  std::unique_ptr<const Scorer> scorer;
  {
    const Model model{.body = body, .provenance = {}};
    scorer = make_scorer(model);  // and outlives it
  }
  std::vector<double> scores(kRows);
  scorer->score({values.data(), kRows, width}, scores, {});
  const std::vector<std::uint32_t> used = scorer->used_features();
  for (std::size_t r = 0; r < kRows; ++r) {
    std::vector<float> row(values.begin() + static_cast<std::ptrdiff_t>(r * width),
                           values.begin() + static_cast<std::ptrdiff_t>((r + 1) * width));
    RC_ASSERT(scores[r] == body.score(row));
    // What is not used does not count.
    for (std::uint32_t f = 0; f < width; ++f) {
      if (std::ranges::find(used, f) == used.end()) row[f] = 1e9F;
    }
    RC_ASSERT(scores[r] == body.score(row));
  }
  RC_ASSERT(scorer->num_features() == width);
  RC_ASSERT(std::ranges::equal(scorer->feature_names(), body.feature_names()));
  RC_ASSERT(std::ranges::is_sorted(used));
}

TEST(Scorer, IsTheDefinitionToTheBitForForests) {
  rc::check([](std::uint64_t seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({});
    check_scorer(maker, forest);
  });
}

TEST(Scorer, IsTheDefinitionToTheBitForAdditiveModels) {
  rc::check([](std::uint64_t seed) {
    GamMaker maker(seed);
    const Gam gam = maker.gam({});
    check_scorer(maker, gam);
  });
}

TEST(Scorer, UsesTheFeaturesThatTheModelAsksFor) {
  EXPECT_EQ(make_scorer(small_forest())->used_features(), std::vector<std::uint32_t>{1});
  EXPECT_EQ(make_scorer(small_gam())->used_features(), std::vector<std::uint32_t>{2});
  EXPECT_EQ(make_function_scorer(3, {})->used_features(), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(Scorer, LetsModelsBeScoredByManyThreads) {
  EXPECT_FALSE(make_scorer(small_forest())->takes_turns());
  EXPECT_FALSE(make_scorer(small_gam())->takes_turns());
  EXPECT_TRUE(make_function_scorer(3, {})->takes_turns());
}

TEST(Scorer, SaysWhatDoesNotFit) {
  const std::vector<float> values(4);
  std::vector<double> scores(2);
  for (const Model& model : {small_forest(), small_gam()}) {
    const auto scorer = make_scorer(model);
    EXPECT_EQ(message_of([&] { scorer->score({values.data(), 4, 1}, scores, {}); }),
              fmt::format("rows of 1 features for a model of {}", num_features_of(model)));
    EXPECT_EQ(message_of([&] { scorer->score({values.data(), 1, 4}, scores, {}); }),
              "1 rows but room for 2 scores");
  }
}

TEST(ScoreAll, GivesOneScorePerRow) {
  const Dataset data = testing::documents_of({2}, {0, 1}, {{0, 1}, {0, 2}});
  EXPECT_EQ(score_all(*make_scorer(small_forest()), data, {}), (std::vector<double>{0.5, 2}));
}

}  // namespace
}  // namespace glassrank
