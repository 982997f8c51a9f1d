#include "glassrank/explain/audit/truth_study.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/data/synth/bookshop_features.h"
#include "glassrank/explain/audit/bookshop_truth.h"
#include "testing/message_of.h"
#include "testing/rows_data.h"

namespace glassrank {
namespace {

const Bookshop& shop() {
  static const Bookshop kShop =
      make_bookshop({.queries = 20, .documents_per_query = 8, .books = 100}, 0);
  return kShop;
}

// The truth by trying every coalition of the features that matter.
double shapley(const Dataset& background, std::span<const float> row,
               const std::vector<std::size_t>& players, std::size_t player) {
  const std::size_t n = players.size();
  const auto value = [&](std::size_t coalition) {
    double sum = 0;
    for (std::size_t b = 0; b < background.num_rows(); ++b) {
      std::vector<float> mixed(background.row(b).begin(), background.row(b).end());
      for (std::size_t i = 0; i < n; ++i) {
        if ((coalition >> i & 1) != 0) mixed[players[i]] = row[players[i]];
      }
      sum += book_utility(mixed);
    }
    return sum / static_cast<double>(background.num_rows());
  };
  double result = 0;
  for (std::size_t coalition = 0; coalition < (std::size_t{1} << n); ++coalition) {
    if ((coalition >> player & 1) != 0) continue;
    const auto size = static_cast<double>(std::popcount(coalition));
    // size! (n - size - 1)! / n!
    const double weight =
        std::exp(std::lgamma(size + 1) + std::lgamma(static_cast<double>(n) - size) -
                 std::lgamma(static_cast<double>(n) + 1));
    result += weight * (value(coalition | (std::size_t{1} << player)) - value(coalition));
  }
  return result;
}

TEST(BookshopTruth, IsTheShapleyValueOfTheUtility) {
  // Four features in two pairs, one alone and one that is useless; the rest add nothing between.
  std::vector<std::size_t> players;
  for (const char* name :
       {"is_ebook", "price", "genre_fantasy", "target_age", "bm25_title", "pages"}) {
    players.push_back(book_feature_index(name));
  }
  const std::vector<std::size_t> some_queries = {0, 1};
  const Dataset background = select_queries(shop().train, some_queries).materialise();
  const BookshopTruth truth(background);
  for (const std::size_t r : {0U, 3U, 5U, 11U}) {
    // Other features as in no background row would not matter: effects are additive.
    const auto row = shop().test.row(r);
    const std::vector<double> contributions = truth.contributions(row);
    for (std::size_t p = 0; p < players.size(); ++p) {
      EXPECT_NEAR(contributions[players[p]], shapley(background, row, players, p), 1e-12);
    }
  }
}

TEST(BookshopTruth, AddsUpToTheUtility) {
  const BookshopTruth truth(shop().train);
  for (std::size_t r = 0; r < shop().test.num_rows(); ++r) {
    const auto row = shop().test.row(r);
    double sum = truth.base_value();
    for (const double contribution : truth.contributions(row)) sum += contribution;
    EXPECT_NEAR(sum, book_utility(row), 1e-12);
    EXPECT_NEAR(truth.utility(row), book_utility(row), 1e-12);
  }
}

// Answers with a function of the true contributions.
class KnownExplainer final : public Explainer {
 public:
  using Answer = std::function<std::vector<double>(const std::vector<double>&)>;
  KnownExplainer(std::string name, Answer answer, bool names_only = false)
      : name_(std::move(name)), answer_(std::move(answer)), names_only_(names_only) {}

  std::string name() const override { return name_; }
  ExplainerTraits traits() const override {
    return {.gives_attributions = !names_only_, .explains_documents = true};
  }
  std::unique_ptr<Explainer> clone() const override {
    return std::make_unique<KnownExplainer>(name_, answer_, names_only_);
  }
  void visit(ParamVisitor&) override {}
  std::size_t num_chosen() const override { return 5; }
  void prepare(const Subject& subject, const Context&) override {
    truth_ = std::make_unique<BookshopTruth>(subject.background);
  }
  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context&) const override {
    std::vector<Explanation> answers;
    for (const Target& target : targets) {
      Explanation answer;
      answer.attributions = answer_(truth_->contributions(query.rows.row(target.document)));
      answer.features = top_features(answer.attributions, 5);
      if (names_only_) answer.attributions.clear();
      answers.push_back(std::move(answer));
    }
    return answers;
  }

 private:
  std::string name_;
  Answer answer_;
  bool names_only_;
  std::unique_ptr<BookshopTruth> truth_;
};

class TruthStudyTest : public testing::Test {
 protected:
  TruthStudy study(Explainer& explainer, const TruthParams& params = {}) {
    const NamedExplainer all[] = {{"it", &explainer}};
    return study(all, params);
  }
  TruthStudy study(std::span<const NamedExplainer> explainers, const TruthParams& params,
                   std::size_t num_shops = 1) {
    const Subject subject{*scorer_, nullptr, shop().train};
    const std::vector<TruthShop> shops(num_shops, {subject, shop().test});
    return study_truth(shops, explainers, params, {});
  }
  std::unique_ptr<const Scorer> scorer_ = make_function_scorer(
      book_features().size(), [](MatrixView<const float> rows, std::span<double> scores) {
        for (std::size_t r = 0; r < rows.num_rows(); ++r) scores[r] = book_utility(rows.row(r));
      });
};

TEST_F(TruthStudyTest, FindsThatTheTruthIsTrue) {
  KnownExplainer truth("truth", [](const auto& numbers) { return numbers; });
  const TruthStudy result = study(truth);
  EXPECT_NEAR(result.model_agreement, 1, 1e-12);
  EXPECT_EQ(result.num_queries, shop().test.num_queries());
  ASSERT_EQ(result.agreements.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(*result.agreements[i].pearson.mean, 1, 1e-12) << result.agreements[i].question;
    EXPECT_NEAR(*result.agreements[i].spearman.mean, 1, 1e-12);
    EXPECT_EQ(*result.agreements[i].top_overlap.mean, 1);
    EXPECT_NEAR(*result.agreements[i].pearson.error, 0, 1e-12);
  }
  EXPECT_EQ(result.agreements[3].question, "ranking, spread");
  EXPECT_LT(*result.agreements[3].pearson.mean, 1);
  EXPECT_GT(*result.agreements[3].pearson.mean, 0);
}

TEST_F(TruthStudyTest, FindsThatTheOppositeIsFalse) {
  KnownExplainer opposite("opposite", [](auto numbers) {
    for (double& number : numbers) number = -number;
    return numbers;
  });
  const TruthStudy result = study(opposite);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(*result.agreements[i].pearson.mean, -1, 1e-12);
    // The features are the right ones; only the sign is wrong.
    EXPECT_EQ(*result.agreements[i].top_overlap.mean, 1);
  }
}

TEST_F(TruthStudyTest, SeesNoAgreementWithChance) {
  KnownExplainer random("random", [](auto numbers) {
    const CounterRandom draws(static_cast<std::uint64_t>(std::abs(numbers[0]) * 1e9), "chance");
    for (std::size_t f = 0; f < numbers.size(); ++f) numbers[f] = draws.normal(f);
    return numbers;
  });
  const TruthStudy result = study(random);
  EXPECT_LT(std::abs(*result.agreements[0].pearson.mean), 0.25);
  EXPECT_LT(*result.agreements[0].top_overlap.mean, 0.4);
}

TEST_F(TruthStudyTest, MeasuresOverlapOfThoseThatOnlyNameFeatures) {
  KnownExplainer names("names", [](const auto& numbers) { return numbers; }, true);
  const TruthStudy result = study(names);
  ASSERT_EQ(result.agreements.size(), 1U);  // documents: pairs and rankings need attributions
  EXPECT_FALSE(result.agreements[0].pearson.mean.has_value());
  EXPECT_EQ(*result.agreements[0].top_overlap.mean, 1);
  EXPECT_EQ(truth_table(result).shown(0, 2), "");
}

TEST_F(TruthStudyTest, TestsWhoIsBestOverTheQueriesOfAllShops) {
  KnownExplainer truth("truth", [](const auto& numbers) { return numbers; });
  KnownExplainer nearly("truth", [](auto numbers) {
    for (std::size_t f = 0; f < numbers.size(); f += 2) numbers[f] = 0;
    return numbers;
  });
  const NamedExplainer all[] = {{"first", &truth}, {"half", &nearly}, {"again", &truth}};
  const TruthStudy once = study(all, {});
  const TruthStudy twice = study(all, {}, 2);
  EXPECT_EQ(twice.num_shops, 2);
  EXPECT_EQ(twice.num_queries, 2 * once.num_queries);
  EXPECT_NEAR(*twice.agreements[4].pearson.mean, *once.agreements[4].pearson.mean, 1e-12);
  EXPECT_LT(*twice.agreements[4].pearson.error, *once.agreements[4].pearson.error);
  EXPECT_TRUE(twice.agreements[0].is_best);
  EXPECT_FALSE(twice.agreements[0].p_best);
  EXPECT_EQ(twice.agreements[4].explainer, "half");
  EXPECT_LT(*twice.agreements[4].p_best, 0.05);
  EXPECT_EQ(twice.agreements[8].p_best, 1);  // no query differs
}

TEST_F(TruthStudyTest, SaysWhatDoesNotFit) {
  KnownExplainer truth("truth", [](const auto& numbers) { return numbers; });
  const NamedExplainer all[] = {{"truth", &truth}};
  const auto scorer = make_function_scorer(1, [](auto, auto) {});
  const Dataset other = data_of_rows({{1}, {2}});
  const Subject others{*scorer, nullptr, other};
  const TruthShop other_shop{others, other};
  EXPECT_EQ(message_of([&] { study_truth({&other_shop, 1}, all, {}, {}); }),
            "the data has no feature bm25_title: only the book shop's true effects are known "
            "(glassrank data synth)");
  const Subject subject{*scorer_, nullptr, shop().train};
  const TruthShop mixed{subject, other};
  EXPECT_EQ(message_of([&] { study_truth({&mixed, 1}, all, {}, {}); }),
            "the background data has other features than the data");
}

TEST(Pearson, IsAsComputedByHand) {
  const std::vector<double> a = {1, 2, 3};
  const std::vector<double> b = {1, 3, 2};
  EXPECT_NEAR(*pearson(a, b), 0.5, 1e-15);
  EXPECT_FALSE(pearson(a, std::vector<double>{4, 4, 4}).has_value());
}

TEST(TopOverlap, CountsTheTrueFirstOnes) {
  const std::vector<double> truth = {0, -5, 3, 1};
  EXPECT_EQ(*top_overlap(truth, std::vector<std::uint32_t>{1, 0}, 2), 0.5);
  EXPECT_EQ(*top_overlap(truth, std::vector<std::uint32_t>{3, 2, 1, 0}, 10), 1);  // 3 are not 0
  EXPECT_FALSE(
      top_overlap(std::vector<double>{0, 0}, std::vector<std::uint32_t>{1}, 1).has_value());
}

}  // namespace
}  // namespace glassrank
