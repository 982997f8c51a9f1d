#include "glassrank/explain/surrogate/local_surrogate.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "glassrank/explain/registry.h"
#include "testing/explained_rows.h"
#include "testing/message_of.h"
#include "testing/rows_data.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

const std::vector<double> kWeights = {3, 0, -2, 0.5, 1};

std::unique_ptr<const Scorer> linear_scorer() {
  return make_function_scorer(5, [](MatrixView<const float> rows, std::span<double> scores) {
    for (std::size_t r = 0; r < rows.num_rows(); ++r) {
      scores[r] = 10;
      for (std::size_t f = 0; f < 5; ++f) {
        scores[r] += kWeights[f] * static_cast<double>(rows(r, f));
      }
    }
  });
}

struct Setting {
  std::unique_ptr<const Scorer> scorer = linear_scorer();
  Dataset data = normal_query(40, 5, 4);
  Subject subject{.scorer = *scorer, .background = data};

  Explanation explain(const std::string& name, LocalSurrogateParams params, const Target& target,
                      const Context& context = {}) const {
    LocalSurrogate explainer(name, params);
    explainer.prepare(subject, context);
    const std::vector<Target> targets = {target};
    return explainer.explain(view_query(subject, data, 0, context), targets, context).front();
  }
  double mean(std::size_t f) const {
    double sum = 0;
    for (std::size_t r = 0; r < 40; ++r) sum += static_cast<double>(data.row(r)[f]) / 40;
    return sum;
  }
  // What the document's own value adds to the mean's.
  double added(std::size_t document, std::size_t f) const {
    return kWeights[f] * (static_cast<double>(data.row(document)[f]) - mean(f));
  }
};

// Masking a linear model is linear: support vector regression finds it but for epsilon and the
// price of large coefficients.
TEST(Exs, FindsALinearModel) {
  const Setting setting;
  for (const std::uint32_t document : {0U, 7U, 21U}) {
    const Explanation result = setting.explain("exs", exs_params(), Target::of_document(document));
    for (std::size_t f = 0; f < 5; ++f) {
      const double added = setting.added(document, f);
      EXPECT_NEAR(result.attributions[f], added, 0.15 + 0.1 * std::abs(added))
          << document << " " << f;
    }
    const ExplainedQuery query = view_query(setting.subject, setting.data, 0, {});
    EXPECT_DOUBLE_EQ(result.value, query.scores[document]);
  }
}

// A line has all of a line, and little of what two features do only together.
TEST(LocalSurrogate, SaysHowWellItFits) {
  Setting setting;
  for (const char* name : {"lirme", "exs"}) {
    LocalSurrogateParams params = name[0] == 'l' ? lirme_params() : exs_params();
    params.inputs = LocalScale::kScaled;
    EXPECT_GT(setting.explain(name, params, Target::of_document(7)).fit.value(), 0.95) << name;
  }
  setting.scorer = make_function_scorer(5, [](MatrixView<const float> rows, std::span<double> out) {
    for (std::size_t r = 0; r < rows.num_rows(); ++r) out[r] = rows(r, 0) * rows(r, 1);
  });
  const Subject twisted{.scorer = *setting.scorer, .background = setting.data};
  for (const char* name : {"lirme", "exs"}) {
    LocalSurrogate explainer(name, name[0] == 'l' ? lirme_params() : exs_params());
    explainer.prepare(twisted, {});
    const std::vector<Target> targets = {Target::of_document(7)};
    const ExplainedQuery query = view_query(twisted, setting.data, 0, {});
    const Explanation answer = explainer.explain(query, targets, {}).front();
    EXPECT_LT(answer.fit.value(), 0.8) << name;
    EXPECT_GE(answer.fit.value(), 0) << name;
  }
}

TEST(LocalSurrogate, NeedsABackgroundThatDiffers) {
  Setting setting;
  const Dataset alike = data_of_rows({{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}});
  for (const char* const name : {"lirme", "exs"}) {
    const auto explainer = make_explainer(name);
    EXPECT_EQ(message_of([&] {
                explainer->prepare({.scorer = *setting.scorer, .background = alike}, {});
              }),
              std::string(name) +
                  " goes by the spread of features in the background data, and its rows are all "
                  "alike; take the training data (--background)");
  }
}

// With scaled inputs a quartile sample of a linear model is linear too.
TEST(Lirme, FindsALinearModelInScaledInputs) {
  const Setting setting;
  for (const Surrogate surrogate : {Surrogate::kLasso, Surrogate::kRidge}) {
    LocalSurrogateParams params = lirme_params();
    params.inputs = LocalScale::kScaled;
    params.surrogate = surrogate;
    const Explanation result = setting.explain("lirme", params, Target::of_document(3));
    for (std::size_t f = 0; f < 5; ++f) {
      EXPECT_NEAR(result.attributions[f], setting.added(3, f), 0.05) << f;
    }
    double sum = result.base_value;
    for (const double phi : result.attributions) sum += phi;
    EXPECT_NEAR(sum, result.value, 0.1);
  }
}

// What the own quartile adds has the sign of weight * (quartile's mean - mean), and a feature
// without weight nothing.
TEST(Lirme, BinaryCoefficientsHaveTheRightSigns) {
  const Setting setting;
  const Explanation result = setting.explain("lirme", lirme_params(), Target::of_document(0));
  EXPECT_NEAR(result.attributions[1], 0, 0.15);
  for (const std::size_t f : {0U, 2U}) {
    if (std::abs(setting.added(0, f)) < 1) continue;
    EXPECT_GT(result.attributions[f] * setting.added(0, f), 0) << f;
  }
}

TEST(LocalSurrogate, OfAPairDiffersFromTheDocumentByAConstant) {
  const Setting setting;
  for (const auto& [name, params] :
       {std::pair{"lirme", lirme_params()}, std::pair{"exs", exs_params()}}) {
    const Explanation document = setting.explain(name, params, Target::of_document(2));
    const Explanation pair = setting.explain(name, params, Target::of_pair(2, 5));
    const ExplainedQuery query = view_query(setting.subject, setting.data, 0, {});
    EXPECT_NEAR(pair.value, query.scores[2] - query.scores[5], 1e-12);
    for (std::size_t f = 0; f < 5; ++f) {
      EXPECT_NEAR(pair.attributions[f], document.attributions[f], 0.02) << name << f;
    }
  }
}

TEST(LocalSurrogate, ExplainsPlacesToo) {
  const Setting setting;
  const ExplainedQuery query = view_query(setting.subject, setting.data, 0, {});
  const Target first = Target::of_document(query.ranking[0]);
  for (LocalSurrogateParams params : {lirme_params(), exs_params()}) {
    for (const LocalTargetKind kind : {LocalTargetKind::kTopK, LocalTargetKind::kRank}) {
      params.target = kind;
      const Explanation result = setting.explain("surrogate", params, first);
      EXPECT_EQ(result.value, 1);
      // The strongest reason for being first raises it.
      ASSERT_FALSE(result.features.empty());
      EXPECT_GT(result.attributions[result.features.front()], 0);
    }
  }
}

TEST(LocalSurrogate, ModeSeedHasThePapersSigns) {
  const Setting setting;
  LocalSurrogateParams params = exs_params();
  params.mode = SurrogateMode::kSeed;
  // (S_max - S) / S_max falls with the score, so coefficients have the opposite sign of weights.
  const Explanation exs = setting.explain("exs", params, Target::of_document(0));
  EXPECT_LT(exs.attributions[0], 0);
  EXPECT_GT(exs.attributions[2], 0);
  params = lirme_params();
  params.mode = SurrogateMode::kSeed;
  const Explanation lirme = setting.explain("lirme", params, Target::of_document(0));
  EXPECT_NE(lirme.attributions[0], 0);
  // A large alpha leaves nothing.
  params.alpha = 1e9;
  const Explanation nothing = setting.explain("lirme", params, Target::of_document(0));
  EXPECT_EQ(nothing.attributions, std::vector<double>(5));
}

TEST(LocalSurrogate, HasTheSameBytesForAnyThreadsAndOthersForAnotherSeed) {
  const Setting setting;
  for (const auto& [name, params] :
       {std::pair{"lirme", lirme_params()}, std::pair{"exs", exs_params()}}) {
    const auto with = [&](int threads, std::uint64_t seed) {
      const Context context{.threads = std::make_shared<const Threads>(threads), .seed = seed};
      return setting.explain(name, params, Target::of_document(1), context).attributions;
    };
    EXPECT_EQ(with(1, 5), with(4, 5));
    EXPECT_NE(with(1, 5), with(1, 6));
  }
}

// The forest looks at feature 1 only.
TEST(LocalSurrogate, FeaturesThatAreNotUsedGetNothing) {
  const Model model = small_forest();
  const auto scorer = make_scorer(model);
  const Dataset data = normal_query(30, 2, 8);
  const Subject subject{.scorer = *scorer, .model = &model, .background = data};
  for (const char* name : {"lirme", "exs"}) {
    const auto explainer = make_explainer(name);
    EXPECT_EQ(explainer->name(), name);
    explainer->prepare(subject, {});
    const ExplainedQuery query = view_query(subject, data, 0, {});
    const std::vector<Target> targets = {Target::of_document(query.ranking[0])};
    const Explanation result = explainer->explain(query, targets, {}).front();
    EXPECT_EQ(result.attributions[0], 0) << name;
    EXPECT_GT(result.attributions[1], 0) << name;
    EXPECT_EQ(result.features, std::vector<std::uint32_t>{1}) << name;
  }
}

TEST(LocalSurrogate, AbstainsWhereNothingDiffers) {
  const Setting setting;
  const auto flat = make_function_scorer(
      5, [](MatrixView<const float>, std::span<double> scores) { std::ranges::fill(scores, 2.0); });
  const Subject subject{.scorer = *flat, .background = setting.data};
  for (LocalSurrogateParams params : {lirme_params(), exs_params()}) {
    LocalSurrogate explainer("surrogate", params);
    explainer.prepare(subject, {});
    const ExplainedQuery query = view_query(subject, setting.data, 0, {});
    const std::vector<Target> targets = {Target::of_document(0)};
    const Explanation result = explainer.explain(query, targets, {}).front();
    EXPECT_EQ(result.abstains, "no sample around the document differs in what is explained");
    EXPECT_EQ(result.attributions, std::vector<double>(5));
    EXPECT_EQ(result.base_value, result.value);
  }
}

TEST(LocalSurrogate, OfTheOnlyDocumentIsOfItsScore) {
  const Setting setting;
  const Dataset one = one_query({{1, 2, 3, 4, 5}});
  for (LocalSurrogateParams params : {lirme_params(), exs_params()}) {
    params.k = 100;  // more than there are
    LocalSurrogate explainer("surrogate", params);
    explainer.prepare(setting.subject, {});
    const ExplainedQuery query = view_query(setting.subject, one, 0, {});
    const std::vector<Target> targets = {Target::of_document(0)};
    const Explanation result = explainer.explain(query, targets, {}).front();
    EXPECT_TRUE(result.abstains.empty());
    EXPECT_GT(result.attributions[0], 0);
    EXPECT_LE(result.features.size(), 5U);
  }
}

TEST(LocalSurrogate, TooFewSamplesAreAnError) {
  const Setting setting;
  LocalSurrogateParams params = lirme_params();
  params.samples = 3;
  EXPECT_EQ(message_of([&] { setting.explain("lirme", params, Target::of_document(0)); }),
            "samples = 3 is out of range; it must be 10 <= x <= 10000000");
}

}  // namespace
}  // namespace glassrank
