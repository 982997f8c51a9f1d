#include "glassrank/explain/explainer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/explain/background.h"
#include "glassrank/explain/explain_queries.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/explain/registry.h"
#include "testing/message_of.h"
#include "testing/rows_data.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Two queries of three and two documents with three features.
Dataset small_data() {
  const std::vector<float> values = {1, 0,    2,           //
                                     3, 1,    0,           //
                                     3, kNan, 1, 0, 4, 4,  //
                                     8, 0,    0};
  DatasetParts parts;
  parts.features = Buffer<float>(values.size());
  std::ranges::copy(values, parts.features.data());
  parts.grades = {0, 2, 1, 1, 0};
  parts.queries = QueryGroups({"a", "b"}, std::vector<std::size_t>{3, 2});
  for (std::size_t f = 0; f < 3; ++f) parts.schema.add_feature(fmt::format("f{}", f));
  return Dataset(std::move(parts));
}

// score = 2 x0 - x2
std::unique_ptr<const Scorer> linear_scorer() {
  return make_function_scorer(3, [](MatrixView<const float> rows, std::span<double> scores) {
    for (std::size_t r = 0; r < rows.num_rows(); ++r) scores[r] = 2 * rows(r, 0) - rows(r, 2);
  });
}

// Attributes the score to its two features, exactly, against zero.
class LinearExplainer final : public Explainer {
 public:
  explicit LinearExplainer(ExplainerTraits traits = {}) : traits_(traits) {}
  std::string name() const override { return "linear"; }
  ExplainerTraits traits() const override { return traits_; }
  std::unique_ptr<Explainer> clone() const override {
    return std::make_unique<LinearExplainer>(traits_);
  }
  void visit(ParamVisitor& /*visitor*/) override {}
  std::size_t num_chosen() const override { return 2; }
  void prepare(const Subject& subject, const Context& /*context*/) override {
    check_subject(subject);
  }
  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& /*context*/) const override {
    std::vector<Explanation> answers;
    for (const Target& target : targets) {
      ++num_asked;
      Explanation answer;
      answer.value = query.scores[target.document];
      answer.attributions = {2.0 * query.rows(target.document, 0), 0,
                             -1.0 * query.rows(target.document, 2)};
      answer.standard_errors = {0.3, 0, 0.4};
      answer.features = top_features(answer.attributions, num_chosen());
      answer.target = target;
      answers.push_back(answer);
    }
    return answers;
  }
  mutable std::size_t num_asked = 0;

 private:
  ExplainerTraits traits_;
};

class ExplainerTest : public ::testing::Test {
 protected:
  std::vector<Explanation> explain(std::span<const Target> targets) const {
    return explain_targets(explainer, query, targets, {.top_documents = 2}, context);
  }

  Context context;
  Dataset data = small_data();
  std::unique_ptr<const Scorer> scorer = linear_scorer();
  Subject subject{.scorer = *scorer, .background = data};
  ExplainedQuery query = view_query(subject, data, 0, context);
  LinearExplainer explainer;
};

TEST_F(ExplainerTest, AQueryIsScoredAndRanked) {
  EXPECT_EQ(query.id, "a");
  EXPECT_EQ(query.scores, (std::vector<double>{0, 6, 5}));
  EXPECT_EQ(query.ranking, (std::vector<std::uint32_t>{1, 2, 0}));
  EXPECT_EQ(query.ranks, (std::vector<std::uint32_t>{2, 0, 1}));
  EXPECT_EQ(query.grades[1], 2);
}

TEST_F(ExplainerTest, EqualScoresKeepTheirOrder) {
  EXPECT_EQ(rank_documents(std::vector<double>{1, 2, 1, 2}),
            (std::vector<std::uint32_t>{1, 3, 0, 2}));
}

TEST_F(ExplainerTest, APairIsTheDifferenceOfItsDocuments) {
  const std::vector<Target> targets = {Target::of_pair(1, 0)};
  const Explanation pair = explain(targets).front();
  EXPECT_EQ(pair.explainer, "linear");
  EXPECT_EQ(pair.query, "a");
  EXPECT_EQ(pair.target, targets[0]);
  EXPECT_EQ(pair.value, 6);
  EXPECT_EQ(pair.attributions, (std::vector<double>{4, 0, 2}));
  EXPECT_EQ(pair.features, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_DOUBLE_EQ(pair.standard_errors[0], 0.3 * std::sqrt(2.0));
}

TEST_F(ExplainerTest, ARankingIsTheSumOfItsFirstDocuments) {
  const Explanation ranking = explain(std::vector{Target::of_ranking()}).front();
  // Documents 1 and 2: 6 + 6 for the first feature, 0 - 1 for the last, which lifts nothing.
  EXPECT_EQ(ranking.attributions, (std::vector<double>{12, 0, -1}));
  EXPECT_EQ(ranking.features, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(ranking.target, Target::of_ranking());
}

TEST_F(ExplainerTest, ADocumentIsAskedForOnce) {
  explain(std::vector{Target::of_document(1), Target::of_pair(1, 2), Target::of_ranking()});
  EXPECT_EQ(explainer.num_asked, 2);
}

TEST_F(ExplainerTest, TargetsOutsideTheQueryAreErrors) {
  EXPECT_EQ(message_of([&] { explain(std::vector{Target::of_document(3)}); }),
            "query a has 3 documents; there is no document 4");
  EXPECT_EQ(message_of([&] { explain(std::vector{Target::of_pair(1, 1)}); }),
            "a pair needs two documents; both are document 2 of query a");
}

TEST_F(ExplainerTest, ASetOfFeaturesOfADocumentIsNoneOfARanking) {
  const LinearExplainer chooser({.gives_attributions = false});
  EXPECT_EQ(message_of([&] {
              explain_targets(chooser, query, std::vector{Target::of_ranking()}, {}, context);
            }),
            "linear does not explain a ranking");
}

TEST_F(ExplainerTest, TheBackgroundMustFitTheScorer) {
  const Dataset empty;
  EXPECT_EQ(message_of([&] { check_subject({.scorer = *scorer, .background = empty}); }),
            "the background data has no rows; explanations compare with its rows");
  const auto wide = make_function_scorer(5, [](MatrixView<const float>, std::span<double>) {});
  EXPECT_EQ(message_of([&] { check_subject({.scorer = *wide, .background = data}); }),
            "the background data has 3 features, the model 5");
}

TEST_F(ExplainerTest, TypicalRowsLeaveMissingValuesOut) {
  EXPECT_EQ(typical_row(subject, Typical::kMean, context), (std::vector<float>{3, 1.25F, 1.4F}));
  EXPECT_EQ(typical_row(subject, Typical::kMedian, context), (std::vector<float>{3, 0, 1}));
  EXPECT_EQ(typical_row(subject, Typical::kZero, context), (std::vector<float>{0, 0, 0}));
  EXPECT_TRUE(typical_row(subject, Typical::kQueryMean, context).empty());
  EXPECT_EQ(typical_row_of(query, {}, 3), (std::vector<float>{7.0F / 3, 0.5F, 1}));
}

TEST_F(ExplainerTest, TheBackgroundIsDrawnWithoutReplacementAndBySeed) {
  const RowMatrix all = sample_background(subject, 9, 1);
  EXPECT_EQ(all.num_rows(), 5);
  EXPECT_EQ(all.values[3], 3);
  const RowMatrix some = sample_background(subject, 4, 1);
  EXPECT_EQ(some.num_rows(), 4);
  std::vector<std::vector<float>> rows;
  for (std::size_t r = 0; r < 4; ++r) {
    const auto row = some.view().row(r);
    rows.emplace_back(row.begin(), row.end());
  }
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
  bool differs = false;
  for (std::uint64_t seed = 2; seed < 10; ++seed) {
    differs = differs ||
              sample_background(subject, 1, seed).values != sample_background(subject, 1, 1).values;
  }
  EXPECT_TRUE(differs);
}

TEST_F(ExplainerTest, PlainPerturbationPutsReferenceValuesForUnknownOnes) {
  const std::vector<float> references = {10, 10, 10, 20, 20, 20};
  const auto perturbation = make_plain_perturbation(
      *scorer, query.rows, MatrixView<const float>(references.data(), 2, 3));
  const std::vector<std::uint8_t> masks = {1, 1, 1, 1, 0, 0};
  std::vector<double> scores(2 * 2 * 3);
  perturbation->scores({masks.data(), 2, 3}, scores, context);
  EXPECT_EQ(scores, (std::vector<double>{0, 6, 5, 0, 6, 5,  //
                                         -8, -4, -4, -18, -14, -14}));
  std::vector<double> means(2 * 3);
  perturbation->mean_scores({masks.data(), 2, 3}, means, context);
  EXPECT_EQ(means, (std::vector<double>{0, 6, 5, -13, -9, -9}));
}

TEST_F(ExplainerTest, PerturbationNeedsRowsAsWideAsTheScorer) {
  const std::vector<float> narrow = {1, 2};
  EXPECT_EQ(message_of([&] {
              make_plain_perturbation(*scorer, query.rows,
                                      MatrixView<const float>(narrow.data(), 1, 2));
            }),
            "reference rows: 1 rows of 2 features; at least one row of 3 is needed");
}

TEST(Explanation, ChoosesFeaturesByAmountOrBySign) {
  const std::vector<double> attributions = {1, -3, 0, 2, -1};
  EXPECT_EQ(top_features(attributions, 3), (std::vector<std::uint32_t>{1, 3, 0}));
  EXPECT_EQ(top_features(attributions, 9), (std::vector<std::uint32_t>{1, 3, 0, 4}));
  EXPECT_EQ(top_positive_features(attributions, 9), (std::vector<std::uint32_t>{3, 0}));
}

TEST(Explanation, DoesNotNameWhatRoundingLeftOver) {
  const std::vector<double> attributions = {7.5, 1e-15, -2e-9, 1e-8};
  EXPECT_EQ(top_features(attributions, 4), (std::vector<std::uint32_t>{0, 3}));
  const std::vector<double> negative = {-7.5, 1e-15, 1};
  EXPECT_EQ(top_positive_features(negative, 3), (std::vector<std::uint32_t>{2}));
}

TEST(ExplainerRegistry, UnknownNamesAreErrors) {
  EXPECT_NE(message_of([] { make_explainer("tree-shop"); }).find("unknown explainer 'tree-shop'"),
            std::string::npos);
}

TEST(ExplainerRegistry, EveryExplainerBearsItsName) {
  for (const ExplainerInfo& info : explainer_table()) {
    const auto explainer = info.make();
    EXPECT_EQ(explainer->name(), info.name);
    EXPECT_EQ(explainer->clone()->name(), info.name);
    EXPECT_FALSE(info.doc.empty());
  }
}

TEST(TopFeatures, LeavesOutWhatIsNotToldFromZero) {
  const std::vector<double> attributions = {0.5, -3, 0, 2, 1};
  // Two errors of each: 0.6, 1, 0, 2, 0.2; of five features sqrt(2 ln 10) = 2.15.
  const std::vector<double> errors = {0.3, 0.5, 0, 1, 0.1};
  EXPECT_EQ(top_features(attributions, 5, errors), (std::vector<std::uint32_t>{1, 4}));
  EXPECT_EQ(top_positive_features(attributions, 5, errors), (std::vector<std::uint32_t>{4}));
  EXPECT_EQ(top_features(attributions, 2, std::vector<double>(5)),
            (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(top_features(std::vector<double>{2, 1e-4}, 2, std::vector<double>(2)),
            (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(least_errors(0), 2);
  EXPECT_EQ(least_errors(3), 2);
  EXPECT_NEAR(least_errors(40), 2.96, 0.01);
}

// A hundred rows of noise, and three features of forty that count.
class ThreeOfForty : public ::testing::Test {
 protected:
  static constexpr std::size_t kWidth = 40;

  static Dataset rows() {
    RandomSequence random(CounterRandom(5, "three of forty"));
    std::vector<std::vector<float>> rows(100, std::vector<float>(kWidth));
    for (auto& row : rows) {
      for (float& value : row) value = static_cast<float>(random.below(20));
    }
    return data_of_rows(rows, {.sizes = std::vector<std::size_t>(10, 10)});
  }
  Dataset data_ = rows();
  // Six digits, as a program prints them.
  std::unique_ptr<const Scorer> scorer_ =
      make_function_scorer(kWidth, [](MatrixView<const float> rows, std::span<double> scores) {
        for (std::size_t r = 0; r < rows.num_rows(); ++r) {
          const auto row = rows.row(r);
          scores[r] = std::stod(fmt::format("{:.6g}", row[0] / 3 + 2 * row[1] * row[2] / 7));
        }
      });
  Subject subject_{.scorer = *scorer_, .background = data_};
};

TEST_F(ThreeOfForty, AreNamedAndTheRestIsNot) {
  for (const char* name : {"kernel-shap", "ranking-shap", "lirme", "exs"}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Context context;
      context.seed = seed;
      const ExplanationSession session(subject_, data_, *make_explainer(name), {}, context);
      const ExplanationView view = session.explain(0, {.document = "rank:1"}).front();
      for (const ViewedFeature& feature : view.features) {
        EXPECT_TRUE(!feature.is_chosen || feature.index < 3) << name << ' ' << seed;
      }
      EXPECT_GE(view.audit.stability.value(), 0.8) << name << ' ' << seed;
    }
  }
}

}  // namespace
}  // namespace glassrank
