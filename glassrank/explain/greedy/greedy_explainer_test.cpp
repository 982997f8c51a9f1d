#include "glassrank/explain/greedy/greedy_explainer.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/explain/greedy/optimum_explainer.h"
#include "glassrank/explain/greedy/random_explainer.h"
#include "glassrank/explain/registry.h"
#include "testing/explain_fixture.h"
#include "testing/masks_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

constexpr GreedyVariant kVariants[] = {GreedyVariant::kGreedy, GreedyVariant::kCover,
                                       GreedyVariant::kCoverEps};

// Trees of depth 3 over all features. Leaf values are eighths, so that scores tie and plain sums of
// doubles are exact.
Forest tied_forest(std::size_t num_features, std::size_t num_trees, std::uint64_t seed) {
  RandomSequence random(CounterRandom(seed, "tied forest"));
  ForestParts parts;
  parts.num_features = num_features;
  for (std::size_t t = 0; t < num_trees; ++t) {
    Tree tree;
    for (std::int32_t n = 0; n < 7; ++n) {
      tree.nodes.push_back({.feature = static_cast<std::uint32_t>(random.below(num_features)),
                            .threshold = static_cast<float>(random.normal() / 2),
                            .left = n < 3 ? 2 * n + 1 : ~(2 * (n - 3)),
                            .right = n < 3 ? 2 * n + 2 : ~(2 * (n - 3) + 1)});
    }
    for (int leaf = 0; leaf < 8; ++leaf) {
      tree.leaf_values.push_back(0.125 * static_cast<double>(random.below(10)));
    }
    parts.trees.push_back(tree);
  }
  return Forest(std::move(parts));
}

// Steps of a curve of each feature, and a surface of the first two; eighths as well.
Gam stepped_gam(std::size_t num_features, std::uint64_t seed) {
  RandomSequence random(CounterRandom(seed, "stepped gam"));
  GamParts parts;
  parts.num_features = num_features;
  const auto value = [&] { return 0.125 * static_cast<double>(random.below(10)); };
  for (std::uint32_t f = 0; f < num_features; ++f) {
    GamEffect effect{.axes = {{.feature = f, .edges = {-0.5F, 0, 0.5F}}}};
    for (int c = 0; c < 5; ++c) effect.values.push_back(value());
    parts.effects.push_back(effect);
  }
  GamEffect surface{.axes = {{.feature = 0, .edges = {0}}, {.feature = 1, .edges = {0}}}};
  for (int c = 0; c < 9; ++c) surface.values.push_back(value());
  parts.effects.push_back(surface);
  return Gam(std::move(parts));
}

// A ranker with data to explain and compare with.
struct Ranker {
  Ranker(Model of, std::vector<std::size_t> sizes, std::uint64_t seed)
      : model(std::move(of)),
        scorer(make_scorer(model)),
        data(normal_data(scorer->num_features(), sizes, seed)) {}
  Subject subject() const { return {*scorer, &model, data}; }
  // The same ranker, of which nothing but scores is known.
  Subject black_box() const { return {*scorer, nullptr, data}; }
  ExplainedQuery query(std::size_t number) const { return view_query(subject(), data, number, {}); }

  Model model;
  std::unique_ptr<const Scorer> scorer;
  Dataset data;
};

Explanation explain_one(Explainer& explainer, const Subject& subject, const ExplainedQuery& query,
                        const Target& target = Target::of_ranking(), const Context& context = {}) {
  explainer.prepare(subject, context);
  return explainer.explain(query, std::vector{target}, context).front();
}

void set_k(Explainer& explainer, const std::string& k) {
  ParamSetter setter("k", {k});
  explainer.visit(setter);
}

double validity_of(const Ranker& ranker, const ExplainedQuery& query,
                   std::span<const std::uint32_t> features, Tau tau = Tau::kA) {
  const auto typical = typical_row(ranker.subject(), Typical::kMean, {});
  const auto perturbation =
      make_plain_perturbation(*ranker.scorer, query.rows, {typical.data(), 1, typical.size()});
  return validity(*perturbation, query.scores, features, tau, {});
}

TEST(Greedy, FindsTheFeatureThatDecides) {
  const auto scorer = linear_scorer({0.1, 0, 50, 0.2, 0.05});
  const Dataset data = normal_data(5, {20});
  const Subject subject{*scorer, nullptr, data};
  const ExplainedQuery query = view_query(subject, data, 0, {});
  for (const GreedyVariant variant : kVariants) {
    GreedyExplainer explainer(variant, {.k = 2});
    const Explanation explanation = explain_one(explainer, subject, query);
    ASSERT_FALSE(explanation.features.empty());
    EXPECT_EQ(explanation.features.front(), 2U) << explainer.name();
    EXPECT_GT(explanation.value, 0.9);
    EXPECT_TRUE(explanation.attributions.empty());
    EXPECT_TRUE(explanation.abstains.empty());
  }
}

TEST(Greedy, AllFeaturesKeepTheWholeOrder) {
  const auto scorer = linear_scorer({1, 2, 3});
  const Dataset data = normal_data(3, {15});
  const Subject subject{*scorer, nullptr, data};
  const ExplainedQuery query = view_query(subject, data, 0, {});
  OptimumExplainer optimum(OptimumParams{.k = 3});
  EXPECT_EQ(explain_one(optimum, subject, query).value, 1);
}

TEST(Greedy, ValueIsTheValidityOfTheFeatures) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Ranker ranker({.body = tied_forest(9, 30, seed), .provenance = {}}, {25, 9}, seed);
    for (const std::size_t q : {0, 1}) {
      const ExplainedQuery query = ranker.query(q);
      for (const GreedyVariant variant : kVariants) {
        for (const Tau tau : {Tau::kA, Tau::kB, Tau::kNdcg}) {
          GreedyParams params;
          params.k = 3;
          params.tau = tau;
          GreedyExplainer explainer(variant, params);
          const Explanation explanation = explain_one(explainer, ranker.subject(), query);
          EXPECT_LE(explanation.features.size(), 3U);
          EXPECT_NEAR(explanation.value, validity_of(ranker, query, explanation.features, tau),
                      1e-12);
        }
      }
    }
  }
}

// Flip events, and masked rows of the same forest as a black box, choose the same.
TEST(Greedy, AForestAndTheSameForestAsABlackBoxAgree) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Ranker ranker({.body = tied_forest(8, 20, seed), .provenance = {}}, {30}, seed);
    const ExplainedQuery query = ranker.query(0);
    for (const GreedyVariant variant : kVariants) {
      for (const GreedyMode mode : {GreedyMode::kPaper, GreedyMode::kReleased}) {
        GreedyParams params;
        params.k = 4;
        params.mode = mode;
        GreedyExplainer explainer(variant, params);
        for (const Target& target :
             {Target::of_ranking(), Target::of_document(3), Target::of_pair(1, 5)}) {
          const Explanation fast = explain_one(explainer, ranker.subject(), query, target);
          const Explanation plain = explain_one(explainer, ranker.black_box(), query, target);
          EXPECT_EQ(fast.features, plain.features);
          EXPECT_EQ(fast.value, plain.value);
          EXPECT_EQ(fast.abstains, plain.abstains);
        }
      }
    }
  }
}

TEST(Optimum, IsTheBestOfAllSetsOfItsSize) {
  const auto brute_force = [](const Ranker& ranker, const ExplainedQuery& query, std::size_t k,
                              Tau tau) {
    double best = -2;
    const auto num_features = static_cast<std::uint32_t>(ranker.scorer->num_features());
    for (std::uint32_t bits = 0; bits < 1U << num_features; ++bits) {
      std::vector<std::uint32_t> set;
      for (std::uint32_t f = 0; f < num_features; ++f) {
        if ((bits >> f & 1) != 0) set.push_back(f);
      }
      if (set.size() == k) best = std::max(best, validity_of(ranker, query, set, tau));
    }
    return best;
  };
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Ranker forest({.body = tied_forest(7, 25, seed), .provenance = {}}, {18}, seed);
    const Ranker gam({.body = stepped_gam(7, seed), .provenance = {}}, {18}, seed);
    for (const Ranker* ranker : {&forest, &gam}) {
      const ExplainedQuery query = ranker->query(0);
      for (const int k : {1, 2, 3}) {
        for (const Tau tau : {Tau::kA, Tau::kB}) {
          OptimumExplainer explainer({.k = k, .tau = tau});
          const double best = brute_force(*ranker, query, static_cast<std::size_t>(k), tau);
          const Explanation fast = explain_one(explainer, ranker->subject(), query);
          EXPECT_EQ(fast.features.size(), static_cast<std::size_t>(k));
          EXPECT_NEAR(fast.value, best, 1e-12);
          EXPECT_NEAR(validity_of(*ranker, query, fast.features, tau), best, 1e-12);
          EXPECT_NEAR(explain_one(explainer, ranker->black_box(), query).value, best, 1e-12);
        }
      }
    }
  }
}

TEST(Optimum, IsNotBelowTheGreedySets) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Ranker ranker({.body = tied_forest(20, 60, seed), .provenance = {}}, {40}, seed);
    const ExplainedQuery query = ranker.query(0);
    OptimumExplainer optimum;
    for (const Target& target :
         {Target::of_ranking(), Target::of_document(7), Target::of_pair(2, 9)}) {
      const double best = explain_one(optimum, ranker.subject(), query, target).value;
      for (const GreedyVariant variant : kVariants) {
        GreedyExplainer greedy(variant, {.k = 3});
        EXPECT_GE(best, explain_one(greedy, ranker.subject(), query, target).value);
      }
    }
  }
}

TEST(SetExplainers, SameAnswersForAnyNumberOfThreads) {
  const Ranker ranker({.body = tied_forest(12, 600, 1), .provenance = {}}, {35}, 1);
  const ExplainedQuery query = ranker.query(0);
  for (const std::string_view name :
       {"greedy", "greedy-cover", "greedy-cover-eps", "optimum", "random"}) {
    const auto explainer = make_explainer(name);
    EXPECT_EQ(explainer->name(), name);
    const auto answer = [&](int threads) {
      return explain_one(*explainer->clone(), ranker.subject(), query, Target::of_ranking(),
                         with_threads(threads));
    };
    const Explanation one = answer(1);
    for (const int threads : {2, 4}) {
      const Explanation many = answer(threads);
      EXPECT_EQ(many.features, one.features);
      EXPECT_EQ(many.value, one.value);
    }
  }
}

TEST(RandomExplainer, AveragesTheValidityOfItsDraws) {
  const Ranker ranker({.body = tied_forest(10, 40, 2), .provenance = {}}, {25}, 2);
  const ExplainedQuery query = ranker.query(0);
  RandomExplainer one(RandomExplainerParams{.k = 4, .repeats = 1});
  const Explanation drawn = explain_one(one, ranker.subject(), query);
  EXPECT_EQ(drawn.features.size(), 4U);
  EXPECT_NEAR(drawn.value, validity_of(ranker, query, drawn.features), 1e-12);
  RandomExplainer many(RandomExplainerParams{.k = 4, .repeats = 200});
  const Explanation mean = explain_one(many, ranker.subject(), query);
  EXPECT_EQ(mean.features, drawn.features);
  GreedyExplainer greedy(GreedyVariant::kCoverEps, {.k = 4});
  EXPECT_LT(mean.value, explain_one(greedy, ranker.subject(), query).value);
  Context other;
  other.seed = 5;
  EXPECT_NE(explain_one(one, ranker.subject(), query, Target::of_ranking(), other).features,
            drawn.features);
}

TEST(SetExplainers, SayWhenThereIsNothingToExplain) {
  // Feature 0 decides, and it is the same for all documents of the second query.
  const auto scorer = linear_scorer({1, 0});
  const Dataset data = data_of_rows({{1, 5}, {3, 1}, {3, 2}, {3, 3}}, {.sizes = {1, 3}});
  const Subject subject{*scorer, nullptr, data};
  for (const std::string_view name :
       {"greedy", "greedy-cover", "greedy-cover-eps", "optimum", "random"}) {
    const auto explainer = make_explainer(name);
    set_k(*explainer, "1");
    const Explanation single = explain_one(*explainer, subject, view_query(subject, data, 0, {}));
    EXPECT_EQ(single.abstains, "query q1 has one document: there is no order to explain");
    EXPECT_TRUE(single.features.empty());
    const Explanation tied = explain_one(*explainer, subject, view_query(subject, data, 1, {}));
    EXPECT_EQ(tied.abstains, "all documents of query q2 have the same score");
    EXPECT_TRUE(tied.features.empty());
  }
}

TEST(SetExplainers, MoreFeaturesThanThereAreIsAnError) {
  const auto scorer = linear_scorer({1, 2});
  const Dataset data = normal_data(2, {4});
  const Subject subject{*scorer, nullptr, data};
  for (const std::string_view name : {"greedy", "optimum", "random"}) {
    const auto explainer = make_explainer(name);
    set_k(*explainer, "3");
    EXPECT_EQ(message_of([&] { explainer->prepare(subject, {}); }),
              fmt::format("{} shall choose 3 features, but the ranker has 2", name));
  }
}

TEST(SetExplainers, NarrowBackgroundIsAnError) {
  const auto scorer = linear_scorer({1, 2, 3, 4, 5, 6});
  const Dataset data = normal_data(2, {4});
  GreedyExplainer explainer(GreedyVariant::kGreedy);
  EXPECT_EQ(message_of([&] { explainer.prepare({*scorer, nullptr, data}, {}); }),
            "the background data has 2 features, the model 6");
}

TEST(Optimum, ABlackBoxIsNotAskedForTooManyRows) {
  const auto scorer = linear_scorer({1, 2, 3, 4});
  const Dataset data = normal_data(4, {10});
  const Subject subject{*scorer, nullptr, data};
  OptimumExplainer explainer({.k = 2, .max_rows = 59});
  EXPECT_EQ(message_of([&] { explain_one(explainer, subject, view_query(subject, data, 0, {})); }),
            "6 sets of 2 of 4 features for 10 documents are more than the 59 rows that a ranker "
            "which is no forest or additive model is asked for: choose fewer features or raise "
            "max_rows");
}

TEST(GreedyParams, ReleasedMeansTheAuthorsChoicesUnlessGiven) {
  GreedyParams params;
  EXPECT_EQ(params.resolved().starts.value, 3);
  set_param(params, "mode", {"released"});
  EXPECT_EQ(params.resolved().starts.value, 5);
  EXPECT_EQ(params.resolved().max_pairs.value, 50);
  EXPECT_EQ(params.resolved().pair_weights.value, PairWeights::kNone);
  EXPECT_EQ(params.resolved().tau.value, Tau::kDocidSequence);
  set_param(params, "tau", {"b"});
  set_param(params, "starts", {"2"});
  EXPECT_EQ(params.resolved().tau.value, Tau::kB);
  EXPECT_EQ(params.resolved().starts.value, 2);
}

}  // namespace
}  // namespace glassrank
