#include "glassrank/methods/ebm/ebm.h"

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/data/select_rows.h"
#include "glassrank/metrics/evaluate.h"
#include "testing/additive_fixture.h"
#include "testing/boosting_fixture.h"
#include "testing/ebm_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using testing::additive;
using testing::Lines;
using testing::make_data;
using testing::quick;
using testing::with_threads;

std::vector<double> scores_of(const Gam& gam, const Dataset& data) {
  std::vector<double> scores;
  for (std::size_t r = 0; r < data.num_rows(); ++r) scores.push_back(gam.score(data.row(r)));
  return scores;
}

double ndcg(const Gam& gam, const Dataset& data) {
  return evaluate(DatasetLists(data, scores_of(gam, data)), std::vector{parse_metric("ndcg@10")},
                  Convention{}, Context{})
      .metrics.front()
      .mean;
}

// A dataset of one feature, queries of two rows.
Dataset one_feature(const std::vector<float>& values, const std::vector<float>& grades) {
  DatasetParts parts;
  parts.features = Buffer<float>(values.size());
  std::ranges::copy(values, parts.features.data());
  parts.grades = grades;
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < values.size() / 2; ++q) ids.push_back(std::to_string(q));
  parts.queries = QueryGroups(ids, std::vector<std::size_t>(ids.size(), 2));
  parts.schema = Schema::of_features({"f"});
  return Dataset(std::move(parts));
}

TEST(Ebm, TakesTheFirstTwoStepsWorkedOutByHand) {
  // Mean 2, gradients 2 - grade: 2 2 0 -2 -2 0. First cut: after row 2 16/2 + 16/4 = 12, after 3
  // 16/3 + 16/3 = 10.7, after 5 0, ...: after 2. Of rows 3 to 6 (16/4 = 4): {3} | {4,5,6} gives
  // 0 + 16/3 = 5.3, {3,4} | {5,6} 4/2 + 4/2 = 4, {3,4,5} | {6} 5.3 too: the lower cut wins. Half of
  // -G/H is -1, 0 and 2/3.
  // Gradients then: 1 1 0 -4/3 -4/3 2/3. First cut: after 2 4/2 + 4/4 = 3, after 3 4/3 + 4/3 = 2.7,
  // after 4 or 5 less than .6: after 2. Of rows 3 to 6 (4/4 = 1): {3} | {4,5,6} 4/3,
  // {3,4} | {5,6} (4/3)^2/2 + (2/3)^2/2 = 1.1, {3,4,5} | {6} (8/3)^2/3 + (2/3)^2 = 2.8: the last.
  // Steps: -.5, 4/9, -1/3.
  const Dataset data = one_feature({1, 2, 3, 4, 5, 6}, {0, 0, 2, 4, 4, 2});
  EbmParams params;
  params.bagging.bags = 1;
  params.bagging.valid_share = 0;
  params.learning_rate = 0.5;
  params.min_leaf_rows = 1;
  params.max_rounds = 1;
  const Gam one = train_ebm(data, nullptr, params, Context{}).gam;
  const double first[] = {1, 1, 2, 2 + 2 / 3.0, 2 + 2 / 3.0, 2 + 2 / 3.0};
  for (std::size_t r = 0; r < 6; ++r) EXPECT_NEAR(one.score(data.row(r)), first[r], 1e-6);
  params.max_rounds = 2;
  const Gam two = train_ebm(data, nullptr, params, Context{}).gam;
  const double second[] = {-0.5, -0.5, 4 / 9.0, 4 / 9.0, 4 / 9.0, -1 / 3.0};
  for (std::size_t r = 0; r < 6; ++r) {
    EXPECT_NEAR(two.score(data.row(r)), first[r] + second[r], 1e-6);
  }
}

// The slow way: residuals of every row from scratch before each visit, every pair of cuts tried.
std::vector<double> slow_rounds(const BinnedDataset& data, const EbmParams& params) {
  const std::size_t n = data.num_rows();
  double mean = 0;
  for (const float grade : data.grades()) mean += grade / static_cast<double>(n);
  std::vector<double> scores(n, mean);
  for (int round = 0; round < params.max_rounds; ++round) {
    for (std::size_t f = 0; f < data.num_features(); ++f) {
      if (data.is_constant(f)) continue;
      const std::size_t bins = data.num_bins(f);
      const auto place = [&](std::size_t r) {
        const std::size_t code = data.column(f)[r];
        return code == bins - 1 ? 0 : code + 1;
      };
      const auto sum_of = [&](std::size_t begin, std::size_t end) {
        std::pair<double, double> sum{0, 0};  // residuals, rows
        for (std::size_t r = 0; r < n; ++r) {
          if (place(r) < begin || place(r) >= end) continue;
          sum.first += data.grades()[r] - scores[r];
          sum.second += 1;
        }
        return sum;
      };
      std::vector<std::pair<std::size_t, std::size_t>> leaves = {{0, bins}};
      while (leaves.size() < 3) {
        double best = 1e-9;
        std::size_t best_leaf = 0, best_cut = 0;
        for (std::size_t i = 0; i < leaves.size(); ++i) {
          const auto whole = sum_of(leaves[i].first, leaves[i].second);
          for (std::size_t cut = leaves[i].first + 1; cut < leaves[i].second; ++cut) {
            const auto low = sum_of(leaves[i].first, cut);
            const auto high = sum_of(cut, leaves[i].second);
            if (low.second < params.min_leaf_rows || high.second < params.min_leaf_rows) continue;
            const double gain = low.first * low.first / low.second +
                                high.first * high.first / high.second -
                                whole.first * whole.first / whole.second;
            if (gain > best + 1e-9) {
              best = gain;
              best_leaf = i;
              best_cut = cut;
            }
          }
        }
        if (best_cut == 0) break;
        const auto leaf = leaves[best_leaf];
        leaves[best_leaf] = {leaf.first, best_cut};
        leaves.push_back({best_cut, leaf.second});
      }
      if (leaves.size() == 1) continue;
      std::vector<double> step(bins);
      for (const auto& [begin, end] : leaves) {
        const auto sum = sum_of(begin, end);
        for (std::size_t p = begin; p < end; ++p) {
          step[p] = params.learning_rate * sum.first / sum.second;
        }
      }
      for (std::size_t r = 0; r < n; ++r) scores[r] += step[place(r)];
    }
  }
  return scores;
}

TEST(Ebm, RoundsAreThoseOfResidualsComputedFromScratch) {
  const Dataset data = make_data({.num_queries = 8, .query_size = 12, .num_features = 7});
  EbmParams params;
  params.bagging.bags = 1;
  params.bagging.valid_share = 0;
  params.learning_rate = 0.3;
  params.max_rounds = 3;
  params.max_bins = 20;
  params.min_leaf_rows = 4;
  const Gam gam = train_ebm(data, nullptr, params, with_threads(1)).gam;
  const std::vector<double> slow =
      slow_rounds(bin_dataset(data, {.max_bins = 19, .min_bin_rows = 1}, with_threads(1)), params);
  const std::vector<double> fast = scores_of(gam, data);
  for (std::size_t r = 0; r < slow.size(); ++r) EXPECT_NEAR(fast[r], slow[r], 1e-5) << r;
}

TEST(Ebm, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = make_data({});
  for (const char* objective : {"squared_error", "lambdarank"}) {
    EbmParams params = quick();
    params.objective.objective = objective;
    params.num_interactions = 2;
    params.max_rounds = 15;
    const EbmResult one = train_ebm(data, nullptr, params, with_threads(1));
    for (const int threads : {2, 4}) {
      const EbmResult many = train_ebm(data, nullptr, params, with_threads(threads));
      EXPECT_EQ(one.gam.parts(), many.gam.parts()) << objective << ' ' << threads;
      EXPECT_EQ(one.pairs, many.pairs);
    }
  }
}

// One bag has all threads, which share its 20,000 rows.
TEST(Ebm, IsTheSameInAnyNumberOfParts) {
  const Dataset data = make_data({.num_queries = 800, .num_features = 4});
  for (const char* objective : {"squared_error", "lambdarank"}) {
    EbmParams params = quick();
    params.bagging.bags = 1;
    params.objective.objective = objective;
    params.num_interactions = 1;
    params.max_rounds = 3;
    const EbmResult one = train_ebm(data, nullptr, params, with_threads(1));
    EXPECT_EQ(train_ebm(data, nullptr, params, with_threads(2)).gam.parts(), one.gam.parts());
    EXPECT_EQ(train_ebm(data, nullptr, params, with_threads(5)).gam.parts(), one.gam.parts());
  }
}

TEST(Ebm, TrainsOneBagWhereAllWouldBeEqual) {
  const Dataset data = make_data({});
  const auto lines = std::make_shared<Lines>();
  Context context;
  context.log_sink = lines;
  EbmParams params = quick();
  params.bagging.valid_share = 0;
  params.max_rounds = 5;
  const EbmResult three = train_ebm(data, nullptr, params, context);
  EXPECT_EQ(lines->all, std::vector<std::string>{
                            "valid_share 0: nothing is held out, so all 3 bags would be equal; one "
                            "is trained, and the model has no error bars"});
  EXPECT_EQ(three.bags.size(), 1U);
  for (const GamEffect& effect : three.gam.effects()) EXPECT_TRUE(effect.errors.empty());
  params.bagging.bags = 1;  // which says nothing
  EXPECT_EQ(train_ebm(data, nullptr, params, context).gam.parts(), three.gam.parts());
  EXPECT_EQ(lines->all.size(), 1U);
}

TEST(Ebm, ErrorsAreTheDeviationOverBagsThatHoldOutDifferentQueries) {
  const Gam gam = train_ebm(make_data({}), nullptr, quick(), Context{}).gam;
  for (const GamEffect& effect : gam.effects()) {
    EXPECT_GT(std::ranges::max(effect.errors), 1e-6);
  }
}

TEST(Ebm, EffectsAreCentredOnTheTrainingData) {
  const Dataset data = make_data({});
  EbmParams params = quick();
  params.num_interactions = 1;
  const Gam gam = train_ebm(data, nullptr, params, Context{}).gam;
  double mean_score = 0;
  for (const double score : scores_of(gam, data)) {
    mean_score += score / static_cast<double>(data.num_rows());
  }
  EXPECT_NEAR(mean_score, gam.intercept(), 1e-9);
  for (const GamEffect& effect : gam.effects()) {
    double sum = 0;
    double rows = 0;
    for (std::size_t c = 0; c < effect.values.size(); ++c) {
      sum += effect.weights[c] * effect.values[c];
      rows += effect.weights[c];
    }
    EXPECT_NEAR(sum, 0, 1e-9);
    EXPECT_EQ(rows, static_cast<double>(data.num_rows()));
  }
}

TEST(Ebm, RecoversTheCurvesOfAnAdditiveTruth) {
  const Dataset data = additive(150, 3);
  EbmParams params = quick();
  params.max_bins = 64;
  params.max_rounds = 400;
  const Gam gam = train_ebm(data, nullptr, params, Context{}).gam;
  ASSERT_EQ(gam.effects().size(), 4U);
  const auto value = [&](std::size_t f, float x) {
    return gam.effects()[f].values[gam.effects()[f].axes[0].cell(x)];
  };
  for (float x = -0.95F; x < 1; x += 0.1F) {
    EXPECT_NEAR(value(0, x), x > 0 ? 1 : -1, 0.12) << x;
    EXPECT_NEAR(value(1, x), 2 * std::abs(x) - 1, 0.12) << x;
    EXPECT_NEAR(value(2, x), x, 0.12) << x;
    EXPECT_NEAR(value(3, x), 0, 0.06) << x;
  }
}

TEST(Ebm, FindsTheTruePair) {
  // The grade depends on x0 and x0 * x1 (boosting_fixture.h).
  const Dataset data = make_data({.num_queries = 60, .with_missing = false});
  EbmParams params = quick();
  const double curves = ndcg(train_ebm(data, nullptr, params, Context{}).gam, data);
  params.num_interactions = 1;
  const EbmResult result = train_ebm(data, nullptr, params, Context{});
  ASSERT_EQ(result.pairs.size(), 1U);
  EXPECT_EQ(result.pairs[0].first, 0U);
  EXPECT_EQ(result.pairs[0].second, 1U);
  EXPECT_EQ(result.pairs[0].statistic, 0);  // first in every bag
  EXPECT_GT(ndcg(result.gam, data), curves + 0.02);
  EXPECT_EQ(result.gam.effects().size(), 8U);  // 7 curves (one feature is constant), one surface
}

TEST(Ebm, HoldsOutRowsAndReportsItsStages) {
  const Dataset data = make_data({});
  EbmParams params = quick();
  params.max_rounds = 400;
  const EbmResult result = train_ebm(data, nullptr, params, Context{});
  ASSERT_EQ(result.bags.size(), 3U);
  for (const EbmBag& bag : result.bags) {
    EXPECT_EQ(bag.num_held_out_rows, 150U);  // 6 of 40 queries of 25
    EXPECT_EQ(bag.num_train_rows, 850U);
    EXPECT_LT(bag.curves.best_loss, bag.curves.start_loss);
    EXPECT_LT(bag.curves.num_rounds, 400U);  // stopped early
    EXPECT_LE(bag.curves.kept_rounds, static_cast<double>(bag.curves.num_rounds));
    EXPECT_EQ(bag.surfaces.num_rounds, 0U);
  }
}

TEST(Ebm, RanksWithARankingObjective) {
  const Dataset train = make_data({.num_queries = 60, .seed = 1});
  const Dataset test = make_data({.num_queries = 60, .seed = 2});
  EbmParams params = quick();
  params.objective.objective = "lambdarank";
  const EbmResult result = train_ebm(train, nullptr, params, Context{});
  EXPECT_EQ(result.gam.objective(), "lambdarank");
  EXPECT_GT(ndcg(result.gam, test), 0.85);
  // Losses are negative metrics.
  for (const EbmBag& bag : result.bags) EXPECT_GT(-bag.curves.best_loss, 0.85);
  params.gradients_every = 1;
  EXPECT_GT(ndcg(train_ebm(train, nullptr, params, Context{}).gam, test), 0.85);
}

TEST(Ebm, StopsOnValidationDataIfAsked) {
  const Dataset data = make_data({});
  const Dataset valid = make_data({.num_queries = 10, .seed = 5});
  EbmParams params = quick();
  params.bagging.stop_on = StopOn::kValid;
  params.bagging.valid_share = 0;
  params.bagging.bags = 1;
  params.num_interactions = 1;
  const EbmResult result = train_ebm(data, &valid, params, Context{});
  EXPECT_EQ(result.bags[0].num_train_rows, data.num_rows());
  EXPECT_EQ(result.bags[0].num_held_out_rows, valid.num_rows());
  double loss = 0;
  const std::vector<double> scores = scores_of(result.gam, valid);
  for (std::size_t r = 0; r < scores.size(); ++r) {
    loss += std::pow(scores[r] - valid.grades()[r], 2) / static_cast<double>(scores.size());
  }
  EXPECT_NEAR(loss, result.bags[0].surfaces.best_loss, 1e-5);
}

TEST(Ebm, WeightsCountAsRepetitions) {
  // The second half twice, or with weight 2; leaves by hessian only.
  const Dataset once = make_data({.num_queries = 10, .num_features = 4, .max_bins = 16});
  DatasetParts weighted;
  DatasetParts doubled;
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  std::vector<float> values;
  for (std::size_t r = 0; r < once.num_rows(); ++r) {
    const bool is_heavy = r % 2 == 1;
    weighted.weights.push_back(is_heavy ? 2 : 1);
    for (int copy = 0; copy < (is_heavy ? 2 : 1); ++copy) {
      values.insert(values.end(), once.row(r).begin(), once.row(r).end());
      doubled.grades.push_back(once.grades()[r]);
    }
  }
  const auto fill = [&](DatasetParts& parts, std::span<const float> from) {
    parts.features = Buffer<float>(from.size());
    std::ranges::copy(from, parts.features.data());
    parts.schema = Schema::of_features({"a", "b", "c", "d"});
    parts.queries = QueryGroups({"q"}, std::vector<std::size_t>{from.size() / 4});
  };
  fill(weighted, {once.features().row(0).data(), once.num_rows() * 4});
  fill(doubled, values);
  weighted.grades.assign(once.grades().begin(), once.grades().end());
  EbmParams params;
  params.bagging.bags = 1;
  params.bagging.valid_share = 0;
  params.max_rounds = 4;
  params.min_leaf_rows = 1;
  params.max_bins = 256;  // every distinct value its own bin, whatever the repetitions
  const Gam a = train_ebm(Dataset(std::move(weighted)), nullptr, params, Context{}).gam;
  const Gam b = train_ebm(Dataset(std::move(doubled)), nullptr, params, Context{}).gam;
  for (std::size_t r = 0; r < once.num_rows(); r += 7) {
    EXPECT_NEAR(a.score(once.row(r)), b.score(once.row(r)), 1e-5);
  }
}

TEST(Ebm, GivesMissingValuesACellOfTheirOwn) {
  // Feature 5 raises the grade when it is missing (boosting_fixture.h).
  const Gam gam = train_ebm(make_data({}), nullptr, quick(), Context{}).gam;
  for (const GamEffect& effect : gam.effects()) {
    const double missing = effect.values[effect.axes[0].missing_cell()];
    if (effect.axes[0].feature == 5) {
      EXPECT_GT(missing, 0.2);
    } else {
      EXPECT_EQ(missing, 0);  // never seen: the mean
    }
  }
}

TEST(Ebm, SaysWhatIsWrong) {
  const Dataset data = make_data({.num_queries = 4, .num_features = 3});
  const auto message = [&](const EbmParams& params, const Dataset* valid = nullptr) {
    return message_of([&] { train_ebm(data, valid, params, Context{}); });
  };
  EbmParams params = quick();
  params.num_interactions = 4;
  EXPECT_EQ(message(params), "num_interactions 4: the 3 features that vary have 3 pairs");
  params = quick();
  params.max_bins = 300;
  EXPECT_NE(message(params).find("max_bins"), std::string::npos) << message(params);
  params = quick();
  params.bagging.stop_on = StopOn::kValid;
  EXPECT_EQ(message(params), "stop_on valid needs validation data");
  params = quick();
  params.watch.metric = {"nothing"};
  EXPECT_NE(message(params).find("nothing"), std::string::npos);
  params = quick();
  params.objective.objective = "nothing";
  EXPECT_NE(message(params).find("nothing"), std::string::npos);
  const Dataset other = make_data({.num_queries = 4, .num_features = 2});
  EXPECT_EQ(message(quick(), &other), "the validation data has 2 features, the training data 3");
  EXPECT_EQ(message_of([&] { train_ebm(Dataset(), nullptr, quick(), Context{}); }),
            "the training data has no rows");
  DatasetParts bare;
  bare.grades = {1, 0};
  bare.queries = QueryGroups({"q"}, std::vector<std::size_t>{2});
  EXPECT_EQ(message_of([&] { train_ebm(Dataset(std::move(bare)), nullptr, quick(), Context{}); }),
            "the training data has no features");
  params = quick();
  params.num_interactions = 1;
  EXPECT_EQ(message_of([&] {
              train_ebm(one_feature({1, 2, 3, 4}, {0, 1, 0, 1}), nullptr, params, Context{});
            }),
            "num_interactions 1: only 1 of the features vary, no pair of them");
}

}  // namespace
}  // namespace glassrank
