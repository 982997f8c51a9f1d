#include "glassrank/data/synth/synthetic.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/data/synth/grading.h"
#include "testing/message_of.h"
#include "testing/synthetic_test_data.h"

namespace glassrank {
namespace {

std::string message_for(const SyntheticParams& params) {
  return message_of([&] { resolve(params); });
}

// Bit patterns, so that missing values compare too.
std::vector<std::uint32_t> bits(const Dataset& data) {
  const float* values = data.features().data();
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i < data.num_rows() * data.num_features(); ++i) {
    all.push_back(std::bit_cast<std::uint32_t>(values[i]));
  }
  for (const float grade : data.grades()) all.push_back(std::bit_cast<std::uint32_t>(grade));
  return all;
}

TEST(Synthetic, IsTheSameForAnyNumberOfThreads) {
  SyntheticParams params = medium();
  params.rows = 5000;
  params.missing = 0.1;
  params.label_noise = 0.1;
  const auto one = bits(make_synthetic(params, context_with(1)));
  EXPECT_EQ(one, bits(make_synthetic(params, context_with(2))));
  EXPECT_EQ(one, bits(make_synthetic(params, context_with(4))));
  EXPECT_NE(one, bits(make_synthetic(params, context_with(1, 2))));
}

TEST(Synthetic, AnyBlockHoldsTheRowsOfTheWhole) {
  SyntheticParams params = medium();
  params.rows = 1000;
  params.missing = 0.1;
  const Context context = context_with(1);
  const SyntheticSource source(params, context);
  const std::size_t num_queries = source.table().queries.num_queries();
  const Dataset whole = source.queries(0, num_queries, context);
  const Dataset part = source.queries(3, 9, context);
  const std::size_t first = source.table().queries.rows(3).begin;
  for (std::size_t r = 0; r < part.num_rows(); ++r) {
    EXPECT_EQ(part.grades()[r], whole.grades()[first + r]);
    for (std::size_t f = 0; f < part.num_features(); ++f) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(part.row(r)[f]),
                std::bit_cast<std::uint32_t>(whole.row(first + r)[f]));
    }
  }
  EXPECT_EQ(part.queries().id(0), "4");
}

class CopySink final : public RowSink {
 public:
  CopySink(std::size_t rows, std::size_t width) : values(rows * width), width_(width) {}
  float* begin_block(std::size_t first, std::size_t) override { return &values[first * width_]; }
  void end_block(std::size_t, std::size_t count, float*) override {
    const std::scoped_lock lock(mutex_);
    num_rows += count;
  }
  std::vector<float> values;
  std::size_t num_rows = 0;

 private:
  std::size_t width_;
  std::mutex mutex_;
};

TEST(Synthetic, StreamsTheSameRowsAsInMemory) {
  SyntheticParams params = medium();
  params.rows = 3000;
  const Context context = context_with(2);
  const SyntheticSource source(params, context);
  CopySink sink(3000, 30);
  source.pass(context, sink);
  const Dataset data = make_synthetic(params, context);
  EXPECT_EQ(sink.num_rows, 3000U);
  EXPECT_TRUE(std::equal(sink.values.begin(), sink.values.end(), data.features().data()));
  EXPECT_TRUE(std::ranges::equal(source.table().grades, data.grades()));
}

TEST(Synthetic, GradesHaveTheAskedShares) {
  SyntheticParams params = medium();
  params.grade_shares = {0.5, 0.3, 0.2};
  std::map<float, int> counts;
  const Dataset data = make_synthetic(params, context_with(2));
  for (const float grade : data.grades()) ++counts[grade];
  EXPECT_EQ(counts, (std::map<float, int>{{0, 10000}, {1, 6000}, {2, 4000}}));
}

TEST(Synthetic, SharesCanHoldWithinEveryQuery) {
  SyntheticParams params;
  params.queries = 20;
  params.documents_per_query = 10;
  params.sizes = QuerySizes::kFixed;
  params.grade_shares = {0.7, 0.2, 0.1};
  params.grading = Grading::kWithinQuery;
  const Dataset data = make_synthetic(params, context_with(2));
  for (std::size_t q = 0; q < 20; ++q) {
    std::map<float, int> counts;
    for (std::size_t r = data.queries().rows(q).begin; r < data.queries().rows(q).end; ++r) {
      ++counts[data.grades()[r]];
    }
    EXPECT_EQ(counts, (std::map<float, int>{{0, 7}, {1, 2}, {2, 1}}));
  }
}

TEST(Synthetic, UtilityDecidesTheGrade) {
  SyntheticParams params = medium();
  params.label_noise = 0;
  const SyntheticSource source(params, context_with(2));
  const auto utilities = doubles(source.utilities());
  EXPECT_GT(correlation(utilities, doubles(source.table().grades)), 0.75);
  params.noise = 0;
  const SyntheticSource exact(params, context_with(2));
  for (std::size_t r = 0; r < 20000; ++r) {
    EXPECT_EQ(exact.table().grades[r], grade_of(exact.utilities()[r], exact.thresholds()));
  }
}

TEST(Synthetic, UtilityHasAboutUnitSpreadAndIsTheSumOfTheEffects) {
  SyntheticParams params = medium();
  params.counts = params.heavy_tails = params.mostly_zero = 0;  // then x_f = unit * s_f
  params.query_features = 0;
  const Context context = context_with(2);
  const SyntheticSource source(params, context);
  const Dataset data = make_synthetic(params, context);
  const auto& truth = source.truth();
  std::vector<double> rest;
  double squares = 0;
  for (std::size_t r = 0; r < 2000; ++r) {
    const auto value = [&](std::uint32_t f) { return data.row(r)[f] / truth.features[f].unit; };
    double sum = 0;
    for (const MainEffect& e : truth.main_effects) sum += e(value(e.feature));
    for (const PairEffect& e : truth.interactions) sum += e(value(e.first), value(e.second));
    rest.push_back(source.utilities()[r] - sum);
    squares += sum * sum;
  }
  EXPECT_NEAR(squares / 2000, 1.0, 0.35);  // the weights' squares add up to 1
  // What is left is the shift of the query: the same for its documents.
  for (std::size_t q = 0; data.queries().rows(q).end <= 2000; ++q) {
    const RowRange rows = data.queries().rows(q);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      EXPECT_NEAR(rest[r], rest[rows.begin], 1e-4);
    }
  }
}

TEST(Synthetic, LabelNoiseFlipsTheAskedShareAndIsListed) {
  SyntheticParams params = medium();
  const SyntheticSource clean(params, context_with(2));
  params.label_noise = 0.1;
  const SyntheticSource noisy(params, context_with(2));
  EXPECT_NEAR(static_cast<double>(noisy.flips().size()), 2000, 5 * 42.5);
  std::size_t different = 0;
  for (std::size_t r = 0; r < 20000; ++r) {
    different += clean.table().grades[r] != noisy.table().grades[r] ? 1 : 0;
  }
  EXPECT_EQ(different, noisy.flips().size());
}

TEST(Synthetic, QuerySizesHaveTheAskedMean) {
  for (const QuerySizes sizes : {QuerySizes::kFixed, QuerySizes::kGamma, QuerySizes::kLongTailed}) {
    SyntheticParams params;
    params.sizes = sizes;
    params.queries = 2000;
    params.documents_per_query = 12;
    const SyntheticSource source(params, context_with(2));
    // Log-normal with sigma 1: spread 1.31 means, over 2000 queries 0.35.
    EXPECT_NEAR(static_cast<double>(source.table().num_rows()) / 2000, 12, 1.5);
    EXPECT_EQ(source.table().queries.largest() == 12, sizes == QuerySizes::kFixed);
  }
}

TEST(Synthetic, ShapesGiveTheSizesOfPublicData) {
  const SyntheticParams mslr = resolve({.shape = SyntheticShape::kMslr});
  EXPECT_EQ(mslr.features, 136);
  EXPECT_NEAR(mslr.grade_shares[0], 0.515, 0.001);
  EXPECT_NEAR(mslr.grade_shares[4], 0.008, 0.001);
  const SyntheticParams istella_x = resolve({.shape = SyntheticShape::kIstellaX});
  EXPECT_EQ(istella_x.features, 220);
  EXPECT_NEAR(istella_x.grade_shares[0], 0.9983, 0.0001);
  EXPECT_EQ(resolve({.shape = SyntheticShape::kYahoo}).features, 519);
  EXPECT_EQ(resolve({.shape = SyntheticShape::kIstella}).features, 220);
}

TEST(Synthetic, SkewSetsTheShareOfGradeZero) {
  SyntheticParams params;
  params.grade_shares = {0.5, 0.3, 0.2};
  params.skew = 0.9;
  const auto shares = resolve(params).grade_shares;
  EXPECT_DOUBLE_EQ(shares[0], 0.9);
  EXPECT_DOUBLE_EQ(shares[1], 0.06);  // 0.3 * 0.1 / 0.5
  EXPECT_DOUBLE_EQ(shares[2], 0.04);
}

TEST(Synthetic, TruthIsWrittenAsJson) {
  SyntheticParams params;
  params.label_noise = 0.05;
  const SyntheticSource source(params, context_with(1));
  const Json json = Json::parse(truth_json(source, true));
  EXPECT_EQ(json["parameters"]["shape"], "tiny");
  EXPECT_EQ(json["features"].size(), 20U);
  EXPECT_EQ(json["main_effects"].size(), 5U);
  EXPECT_EQ(json["interactions"].size(), 2U);
  EXPECT_EQ(json["flipped"].size(), source.flips().size());
  EXPECT_EQ(json["utilities"].size(), source.table().num_rows());
  EXPECT_GT(json["main_effects"][0]["points"].size(), 5U);
  EXPECT_FALSE(Json::parse(truth_json(source, false)).contains("utilities"));
}

// Where a value stands among sampled points; nothing if it is none of them.
std::optional<std::size_t> index_of(const std::vector<float>& points, float x) {
  const auto found = std::ranges::find(points, x);
  if (found == points.end()) return std::nullopt;
  return static_cast<std::size_t>(found - points.begin());
}

TEST(Synthetic, SampledCurvesAndSurfacesAddUpToTheUtility) {
  SyntheticParams params = medium();
  params.counts = 1;  // sampled at every value up to 8, so that most rows can be looked up
  params.heavy_tails = params.mostly_zero = 0;
  params.missing = 0.2;
  params.query_features = 0;
  params.interactions = 3;
  const SyntheticSource source(params, context_with(1));
  const Dataset data = make_synthetic(params, context_with(1));
  const Json json = Json::parse(truth_json(source, false));
  const SyntheticTruth& truth = source.truth();
  const auto sum_of_effects = [&](std::size_t row) -> std::optional<double> {
    const auto shown = [&](std::uint32_t f) {
      const float x = data.row(row)[f];
      return std::isnan(x) ? json["features"][f]["missing_as"].get<float>() : x;
    };
    double sum = 0;
    for (std::size_t k = 0; k < truth.main_effects.size(); ++k) {
      std::vector<float> points;
      for (const Json& point : json["main_effects"][k]["points"]) points.push_back(point[0]);
      const auto i = index_of(points, shown(truth.main_effects[k].feature));
      if (!i) return std::nullopt;
      sum += json["main_effects"][k]["points"][*i][1].get<double>();
    }
    for (std::size_t j = 0; j < truth.interactions.size(); ++j) {
      const Json& item = json["interactions"][j];
      const auto a = index_of(item["points"][0], shown(truth.interactions[j].first));
      const auto b = index_of(item["points"][1], shown(truth.interactions[j].second));
      if (!a || !b) return std::nullopt;
      sum += item["values"][*a][*b].get<double>();
    }
    return sum;
  };
  std::size_t num_found = 0;
  for (std::size_t q = 0; data.queries().rows(q).end <= 2000; ++q) {
    std::optional<double> shift;  // of the query: the same for its documents
    const RowRange rows = data.queries().rows(q);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      const std::optional<double> sum = sum_of_effects(r);
      if (!sum) continue;
      ++num_found;
      const double rest = source.utilities()[r] - *sum;
      if (!shift) shift = rest;
      EXPECT_NEAR(rest, *shift, 1e-4);
    }
  }
  EXPECT_GT(num_found, 1000U);
}

TEST(Synthetic, ShrinksTheRolesOfTheShapeToFewFeatures) {
  // 10 features less 2 correlated and 2 useless leave 6 for 5 + 2 + 2: 30/9, 12/9 and 12/9.
  const SyntheticParams ten = resolve({.features = 10});
  EXPECT_EQ(ten.main_effects, 3);
  EXPECT_EQ(ten.interactions, 1);
  EXPECT_EQ(ten.query_features, 1);
  // What was asked for stays: 6 - 4 = 2 for 2 + 2.
  const SyntheticParams asked = resolve({.features = 10, .main_effects = 4});
  EXPECT_EQ(asked.main_effects, 4);
  EXPECT_EQ(asked.interactions, 1);
  EXPECT_EQ(asked.query_features, 1);
  for (int features = 1; features < 20; ++features) {
    EXPECT_GE(resolve({.features = features}).main_effects, 1) << features;
  }
}

TEST(Synthetic, WithHeredityOnlyFeaturesWithAMainEffectInteract) {
  SyntheticParams params = medium();
  params.main_effects = 5;
  params.interactions = 10;  // all there are
  params.heredity = true;
  const SyntheticSource source(params, context_with(3));
  const SyntheticTruth& truth = source.truth();
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const PairEffect& effect : truth.interactions) {
    EXPECT_EQ(truth.features[effect.first].role, FeatureRole::kMainEffect);
    EXPECT_EQ(truth.features[effect.second].role, FeatureRole::kMainEffect);
    pairs.insert(std::minmax(effect.first, effect.second));
  }
  EXPECT_EQ(pairs.size(), 10U);
  for (const SyntheticFeature& feature : truth.features) {
    EXPECT_NE(feature.role, FeatureRole::kInteractionOnly);
  }
}

TEST(Synthetic, SaysWhatDoesNotFit) {
  EXPECT_EQ(message_for({.main_effects = 4, .interactions = 7, .heredity = true}),
            "4 main effects give at most 6 interactions with heredity, not 7");
  EXPECT_EQ(message_for({.features = 5, .main_effects = 5, .interactions = 2, .query_features = 2}),
            "5 features are too few for 5 main effects, 2 interactions (one feature each), 2 query "
            "features, 1 correlated and 1 useless ones: 11 are needed");
  EXPECT_EQ(message_for({.main_effects = 0, .interactions = 0}),
            "no main effects and no interactions: nothing would decide the grade");
  EXPECT_EQ(message_for({.main_effects = 0}),
            "interactions need partners: set main_effects to 1 or more");
  EXPECT_EQ(message_for({.counts = 0.5, .heavy_tails = 0.5, .mostly_zero = 0.5}),
            "counts + heavy_tails + mostly_zero = 1.5; together they must not exceed 1");
  EXPECT_EQ(message_for({.grade_shares = {0.5, 0.2}}),
            "grade_shares = 0.5,0.2 must be two or more shares that add up to 1, grade 0 first");
  EXPECT_EQ(message_for({.grade_shares = {1.0, 0.0}, .skew = 0.5}),
            "skew cannot be applied: grade_shares has only grade 0");
  EXPECT_EQ(message_for({.queries = -1}), "queries = -1 is out of range; it must be x >= 0");
  EXPECT_EQ(message_for({.documents_per_query = 0.5}),
            "documents_per_query = 0.5; it must be at least 1");
}

}  // namespace
}  // namespace glassrank
