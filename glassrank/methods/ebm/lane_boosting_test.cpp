// Bags side by side against the plain way: one bag at a time, one row at a time.

#include "glassrank/methods/ebm/lane_boosting.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/methods/ebm/cyclic.h"
#include "testing/boosting_fixture.h"

namespace glassrank {
namespace {

// One lane of the rows.
template <typename Code>
class PlainRows final : public BagRows {
 public:
  PlainRows(const LaneRows<Code>& rows, std::size_t lane) : rows_(rows), lane_(lane) {
    for (const std::int32_t error : rows.errors.values) errors_.push_back(rows.errors.unit * error);
  }

  void sum_cells(std::size_t effect, std::span<CellSum> cells) override {
    std::ranges::fill(cells, CellSum{});
    for (const LaneSegment& segment : rows_.segments) {
      if (!segment.trains[lane_]) continue;
      for (std::size_t r = segment.begin; r < segment.end; ++r) {
        cells[rows_.effects[effect].codes[r]] +=
            {.gradient = weight(r) * error(r), .hessian = weight(r), .rows = 1};
      }
    }
  }
  void add_step(std::size_t effect, std::span<const float> step) override {
    const std::vector<Code>& codes = rows_.effects[effect].codes;
    for (std::size_t r = 0; r < codes.size(); ++r) error(r) += step[codes[r]];
  }
  double loss() override {
    double sum = 0;
    double judging = 0;
    for (const LaneSegment& segment : rows_.segments) {
      if (!segment.judges[lane_]) continue;
      for (std::size_t r = segment.begin; r < segment.end; ++r) {
        sum += weight(r) * error(r) * error(r);
        judging += weight(r);
      }
    }
    return sum / judging;
  }
  bool has_loss_of_visits() const override { return true; }

 private:
  double weight(std::size_t r) const { return rows_.weights.empty() ? 1 : rows_.weights[r]; }
  double& error(std::size_t r) { return errors_[r * kBagLanes + lane_]; }

  LaneRows<Code> rows_;
  std::size_t lane_;
  std::vector<double> errors_;
};

// Three bags of 200 rows, in four segments; grades follow the first two effects and noise.
constexpr std::size_t kBags = 3;
const std::vector<LaneSegment> kSegments = {
    {.begin = 0, .end = 120, .trains = {true, true, true}},
    {.begin = 120, .end = 150, .trains = {false, true, true}, .judges = {true}},
    {.begin = 150, .end = 175, .trains = {true, false, true}, .judges = {false, true}},
    {.begin = 175, .end = 200, .trains = {true, true, false}, .judges = {false, false, true}}};

template <typename Code>
LaneRows<Code> make_rows(std::span<const EffectShape> shapes, bool has_weights) {
  RandomSequence random(CounterRandom(7, "lane rows"));
  LaneRows<Code> rows{.segments = kSegments, .errors = {.values = {}, .unit = unit_of_errors(4)}};
  for (const EffectShape& shape : shapes) rows.effects.push_back({.shape = shape});
  for (std::size_t r = 0; r < 200; ++r) {
    for (LaneCodes<Code>& effect : rows.effects) {
      effect.codes.push_back(static_cast<Code>(random.below(effect.shape.num_cells())));
    }
    const double truth = 0.1 * rows.effects[0].codes[r] - (rows.effects[1].codes[r] % 3);
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
      const double error = truth + 0.3 * random.normal();
      rows.errors.values.push_back(
          lane < kBags ? static_cast<std::int32_t>(std::lrint(error / rows.errors.unit)) : 0);
    }
    if (has_weights) rows.weights.push_back(static_cast<float>(0.5 + random.uniform()));
  }
  return rows;
}

template <typename Code>
void expect_plain_results(std::span<const EffectShape> shapes, bool has_weights,
                          const CyclicRules& rules) {
  const LaneRows<Code> rows = make_rows<Code>(shapes, has_weights);
  const std::vector<CyclicResult> results = boost_lanes(rows, kBags, rules, {}, Context{});
  ASSERT_EQ(results.size(), kBags);
  for (std::size_t lane = 0; lane < kBags; ++lane) {
    PlainRows<Code> plain(rows, lane);
    const CyclicResult one = boost_cyclically(plain, shapes, rules, {}, Context{});
    EXPECT_EQ(results[lane].num_rounds, one.num_rounds);
    EXPECT_EQ(results[lane].best_visit, one.best_visit);
    EXPECT_NEAR(results[lane].start_loss, one.start_loss, 1e-9);
    EXPECT_NEAR(results[lane].best_loss, one.best_loss, 1e-7);
    EXPECT_LT(one.best_loss, one.start_loss);
    for (std::size_t effect = 0; effect < shapes.size(); ++effect) {
      for (std::size_t c = 0; c < shapes[effect].num_cells(); ++c) {
        EXPECT_NEAR(results[lane].tables[effect][c], one.tables[effect][c], 1e-6)
            << lane << ' ' << c;
      }
    }
  }
}

TEST(LaneBoosting, CurvesAreThoseOfEveryBagAlone) {
  const EffectShape shapes[] = {{.height = 20}, {.height = 9}, {.height = 30}};
  const CyclicRules rules{
      .step = {.learning_rate = 0.1}, .max_rounds = 200, .patience = 5, .tolerance = 1e-4};
  for (const bool has_weights : {false, true}) {
    expect_plain_results<std::uint8_t>(shapes, has_weights, rules);
  }
}

TEST(LaneBoosting, SurfacesAreThoseOfEveryBagAlone) {
  const EffectShape shapes[] = {{.height = 4, .width = 5}, {.height = 6, .width = 3}};
  const CyclicRules rules{
      .step = {.learning_rate = 0.1}, .max_rounds = 60, .patience = 5, .tolerance = 1e-4};
  for (const bool has_weights : {false, true}) {
    expect_plain_results<std::uint16_t>(shapes, has_weights, rules);
  }
}

TEST(LaneBoosting, BagsStopEachOnItsOwn) {
  const EffectShape shapes[] = {{.height = 20}, {.height = 9}, {.height = 30}};
  const CyclicRules rules{
      .step = {.learning_rate = 0.1}, .max_rounds = 500, .patience = 4, .tolerance = 1e-4};
  std::vector<std::size_t> last_round(kBags);
  const std::vector<CyclicResult> results = boost_lanes(
      make_rows<std::uint8_t>(shapes, false), kBags, rules,
      [&](std::size_t lane, std::size_t num_rounds, double loss) {
        EXPECT_EQ(num_rounds, last_round[lane] + 1);
        EXPECT_FALSE(std::isnan(loss));
        last_round[lane] = num_rounds;
        return true;
      },
      Context{});
  for (std::size_t lane = 0; lane < kBags; ++lane) {
    EXPECT_EQ(results[lane].num_rounds, last_round[lane]);
    EXPECT_LT(results[lane].num_rounds, 500U);
  }
  EXPECT_NE(last_round[0], last_round[1]);
}

void expect_same(const CyclicResult& a, const CyclicResult& b) {
  EXPECT_EQ(a.tables, b.tables);
  EXPECT_EQ(a.num_rounds, b.num_rounds);
  EXPECT_EQ(a.best_visit, b.best_visit);
  EXPECT_EQ(a.best_loss, b.best_loss);
}

TEST(LaneBoosting, IsTheSameInAnyNumberOfParts) {
  const EffectShape shapes[] = {{.height = 20}, {.height = 9}, {.height = 30}};
  const CyclicRules rules{.step = {.learning_rate = 0.1}, .max_rounds = 30, .patience = 5};
  for (const bool has_weights : {false, true}) {
    const LaneRows<std::uint8_t> rows = make_rows<std::uint8_t>(shapes, has_weights);
    const auto whole = boost_lanes(rows, kBags, rules, {}, testing::with_threads(1));
    for (const std::size_t num_parts : {2, 3, 300}) {
      const auto parts = boost_lanes(rows, kBags, rules, {}, testing::with_threads(4), num_parts);
      for (std::size_t lane = 0; lane < kBags; ++lane) expect_same(parts[lane], whole[lane]);
    }
  }
}

// What a lane that outgrows its bits does is nobody else's business.
TEST(LaneBoosting, ALaneWithoutRoomTakesNoMoreSteps) {
  const EffectShape shapes[] = {{.height = 20}, {.height = 9}, {.height = 30}};
  const CyclicRules rules{.step = {.learning_rate = 0.1}, .max_rounds = 5, .patience = 0};
  const LaneRows<std::uint8_t> rows = make_rows<std::uint8_t>(shapes, false);
  LaneRows<std::uint8_t> large = rows;
  for (std::size_t r = 0; r < 200; ++r) {
    large.errors.values[r * kBagLanes + 1] = r % 2 == 0 ? INT32_MAX - 5 : INT32_MIN + 6;
  }
  const auto expected = boost_lanes(rows, kBags, rules, {}, Context{});
  const auto found = boost_lanes(large, kBags, rules, {}, Context{});
  for (const std::size_t lane : {0, 2}) expect_same(found[lane], expected[lane]);
  EXPECT_TRUE(found[1].has_diverged);
  EXPECT_EQ(found[1].num_rounds, 1U);
  EXPECT_LE(found[1].best_loss, found[1].start_loss);
}

TEST(LaneBoosting, WithoutEffectsThereIsOnlyALoss) {
  LaneRows<std::uint8_t> rows{.segments = kSegments,
                              .errors = {.values = {}, .unit = unit_of_errors(2)}};
  rows.errors.values.assign(200 * kBagLanes, static_cast<std::int32_t>(2 / rows.errors.unit));
  const std::vector<CyclicResult> results =
      boost_lanes(rows, kBags, {.max_rounds = 3, .patience = 0}, {}, Context{});
  for (const CyclicResult& result : results) {
    EXPECT_EQ(result.num_rounds, 3U);
    EXPECT_EQ(result.best_loss, 4);
    EXPECT_TRUE(result.tables.empty());
  }
}

}  // namespace
}  // namespace glassrank
