#include "glassrank/explain/tree_shap/gam_shap.h"

#include <gtest/gtest.h>

#include "glassrank/explain/tree_shap/tree_shap_explainer.h"
#include "testing/message_of.h"
#include "testing/random_gams.h"
#include "testing/rows_data.h"
#include "testing/shap_calls.h"

namespace glassrank {
namespace {

using testing::with_threads;

GamShap engine_of(const Gam& gam, const std::vector<float>& background) {
  const std::size_t width = gam.num_features();
  return GamShap(gam, {background.data(), background.size() / width, width});
}

std::vector<float> rows_for(GamMaker& maker, const Gam& gam, std::size_t num_rows) {
  std::vector<float> rows;
  for (std::size_t r = 0; r < num_rows; ++r) {
    const std::vector<float> row = maker.row(gam);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

// The weights that training on these rows leaves in the cells.
Gam trained_on(const Gam& gam, const std::vector<float>& rows) {
  GamParts parts = gam.parts();
  const std::size_t width = gam.num_features();
  for (GamEffect& effect : parts.effects) {
    effect.weights.assign(effect.num_cells(), 0);
    for (std::size_t r = 0; r < rows.size(); r += width) {
      ++effect.weights[effect.cell({rows.data() + r, width})];
    }
  }
  return Gam(std::move(parts));
}

TEST(GamShap, ACurveAndASurfaceByHand) {
  // Curve of feature 0: 2 up to 1 (3 rows), 6 above (1 row), mean 3. Surface of 0 and 1 with cells
  // (low, high, missing) each: values 8 in (high, high), else 0; weights 2, 1 / 0, 1.
  GamEffect curve{.axes = {{.feature = 0, .edges = {1}}},
                  .values = {2, 6, 0},
                  .errors = {},
                  .weights = {3, 1, 0}};
  GamEffect surface{.axes = {{.feature = 0, .edges = {1}}, {.feature = 1, .edges = {1}}},
                    .values = {0, 0, 0, 0, 8, 0, 0, 0, 0},
                    .errors = {},
                    .weights = {2, 1, 0, 0, 1, 0, 0, 0, 0}};
  const GamShap shap(Gam({.effects = {curve, surface}, .num_features = 3, .intercept = 10}));
  // none: 8 / 4 = 2. first high: feature 1 is high in half of the rows, 4. second high: feature 0
  // is high in a quarter of the rows, 2. both: 8.
  EXPECT_EQ(shap.base_value(), 10 + 3 + 2);
  const Interactions high = interactions_of(shap, {2, 2, 0});
  EXPECT_EQ(high.values, (std::vector<double>{3 + (2 + 6) / 2.0, (0 + 4) / 2.0, 0}));
  EXPECT_EQ(high.sparse, (std::vector<double>{8 - 4 - 2 + 2}));
  EXPECT_EQ(shap.pairs()[0], (FeaturePair{.first = 0, .second = 1}));
}

class RandomGams : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(GamShap, RandomGams, ::testing::Range<std::uint64_t>(0, 100));

TEST_P(RandomGams, AreExplainedAsTheDefinitionSays) {
  GamMaker maker(GetParam());
  const Gam gam = maker.gam({});
  const std::vector<float> background = rows_for(maker, gam, 1 + GetParam() % 9);
  const std::vector<float> row = maker.row(gam);
  const std::vector<double> game = interventional_game(gam, row, background);
  expect_plays(engine_of(gam, background), row, game);
  // What training on the same rows remembers says the same.
  expect_plays(GamShap(trained_on(gam, background)), row, game);
}

TEST(GamShap, IsTheSameForAnyThreads) {
  GamMaker maker(3);
  const Gam gam = maker.gam({});
  const std::vector<float> rows = rows_for(maker, gam, 700);
  const GamShap shap = engine_of(gam, rows);
  EXPECT_EQ(values_of(shap, rows, with_threads(4)), values_of(shap, rows));
  EXPECT_EQ(interactions_of(shap, rows, with_threads(4)).sparse,
            interactions_of(shap, rows).sparse);
}

TEST(GamShap, OfUnknownWeightsIsAnErrorWithTheWayOut) {
  GamEffect curve{
      .axes = {{.feature = 0, .edges = {1}}}, .values = {2, 6, 0}, .errors = {}, .weights = {}};
  const auto gam_with = [&](std::vector<double> weights) {
    curve.weights = std::move(weights);
    return Gam({.effects = {curve}, .num_features = 1, .feature_names = {"price"}});
  };
  EXPECT_EQ(message_of([&] { const GamShap shap(gam_with({})); }),
            "effect price: the model does not know the weights of its cells, so values with "
            "respect to the training data cannot be told; ask for interventional values with "
            "background rows");
  EXPECT_EQ(message_of([&] { const GamShap shap(gam_with({0, 0, 0})); }),
            "effect price: the weights of all its cells are 0, so values with respect to the "
            "training data cannot be told; ask for interventional values with background rows");
  EXPECT_EQ(message_of([&] { engine_of(gam_with({}), {}); }),
            "interventional values need background rows; there are none");
}

struct Notices final : public LogSink {
  void log(LogLevel /*level*/, std::string_view message) override { texts.emplace_back(message); }
  std::vector<std::string> texts;
};

// RankLib's RankBoost and tables of other programs come without weights.
TEST(TreeShap, TakesUnknownWeightsFromTheBackground) {
  const GamEffect curve{
      .axes = {{.feature = 0, .edges = {1}}}, .values = {2, 6, 0}, .errors = {}, .weights = {}};
  const Model model{.body = Gam({.effects = {curve}, .num_features = 1}), .provenance = {}};
  const auto scorer = make_scorer(model);
  const Dataset background = data_of_rows({{0}, {0}, {0}, {5}});
  const Subject subject{.scorer = *scorer, .model = &model, .background = background};
  const auto notices = std::make_shared<Notices>();
  Context context;
  context.log_sink = notices;
  const auto explain = [&](TreeShapParams params) {
    const auto explainer = make_tree_shap(params);
    explainer->prepare(subject, context);
    const ExplainedQuery query = view_query(subject, background, 0, context);
    const Target target = Target::of_document(3);
    return explainer->explain(query, {&target, 1}, context).front();
  };
  const Explanation answer = explain({});
  EXPECT_EQ(answer.base_value, 3);
  EXPECT_EQ(answer.attributions, std::vector<double>{3});
  EXPECT_EQ(notices->texts,
            std::vector<std::string>{"the model does not know the weights of its cells: those of "
                                     "the background data count"});
  explain({.game = ShapGame::kInterventional});
  EXPECT_EQ(notices->texts.size(), 1U) << "rows of its own";
}

}  // namespace
}  // namespace glassrank
