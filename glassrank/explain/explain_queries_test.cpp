#include "glassrank/explain/explain_queries.h"

#include <gtest/gtest.h>

#include "glassrank/explain/registry.h"
#include "testing/explain_fixture.h"
#include "testing/message_of.h"
#include "testing/study_fixture.h"

namespace glassrank {
namespace {

class ExplainQueries : public ::testing::Test {
 protected:
  ExplanationSession session(const ExplainerTraits& traits = {},
                             const SessionParams& params = {.audit = false}) const {
    return {subject, data, FakeExplainer({.weights = {2, -1}, .traits = traits, .k = 1}), params,
            context};
  }
  Context context;
  Dataset data = testing::documents_of({2, 2}, {0, 1, 2, 0}, {{1, 0}, {3, 1}, {4, 4}, {0, 5}});
  std::unique_ptr<const Scorer> scorer = linear_scorer({2, -1});
  Subject subject{.scorer = *scorer, .background = data};
};

TEST_F(ExplainQueries, GivesAViewOfWhatIsAskedFor) {
  const ExplanationView view = session().explain(0, {.document = "rank:1"}).front();
  EXPECT_EQ(view.query, "q0");
  EXPECT_EQ(view.explainer, "fake");
  EXPECT_EQ(view.documents[0].document, "2");
  EXPECT_EQ(view.documents[0].score, 5);
  EXPECT_EQ(view.value, 5);
  EXPECT_EQ(view.features[0].attribution, 6);  // 2 * 3
  EXPECT_EQ(view.summary,
            "2 is at rank 1 of 2. Its score of 5.00 is 5.00 above 0.00, the score with no feature "
            "known: f0 is 3 (+6.00) and f1 is 1 (-1.00).");
}

TEST_F(ExplainQueries, MakesPairsAndRankingsOfDocuments) {
  EXPECT_EQ(session().explain(1, {.pair = {"1", "2"}}).front().value, 9);  // 4 - (-5)
  const ExplanationView ranking = session().explain(1, {}).front();
  EXPECT_EQ(ranking.target, TargetKind::kRanking);
  EXPECT_EQ(ranking.value, -1);  // 4 - 5
  EXPECT_EQ(ranking.measure, "the scores of the first 2 documents");
  EXPECT_EQ(session({.explains_rankings = true}).explain(1, {}).front().measure,
            "what fake measures");
}

TEST_F(ExplainQueries, ExplainsEveryDocumentBestFirst) {
  const auto documents = session().explain_documents(0);
  ASSERT_EQ(documents.explanations.size(), 2);
  EXPECT_EQ(documents.explanations[0].target, Target::of_document(1));
  EXPECT_EQ(documents.explanations[0].value, 5);
  EXPECT_EQ(documents.names.documents, (std::vector<std::string>{"1", "2"}));
}

TEST_F(ExplainQueries, GivesAViewOfEveryDocumentIfAsked) {
  const auto views = session().explain(0, {.document = "all"});
  ASSERT_EQ(views.size(), 2);
  EXPECT_EQ(views[0].documents[0].document, "2");
  EXPECT_EQ(views[1].documents[0].document, "1");
  EXPECT_EQ(views[1].target, TargetKind::kDocument);
  EXPECT_EQ(views[1].value, 2);
}

TEST_F(ExplainQueries, AuditsItsAnswers) {
  const ExplanationView view = session({}, {}).explain(0, {.pair = {"2", "1"}}).front();
  EXPECT_EQ(view.audit.additivity_residual, 0);
  EXPECT_EQ(view.audit.validity, 1);  // 2 x0 alone: 6 against 2
  EXPECT_FALSE(view.audit.stability || view.abstains);
  EXPECT_EQ(view.audit.reliability, 1);
}

TEST_F(ExplainQueries, AsksSampledExplainersWithOtherSeeds) {
  EXPECT_EQ(session({.is_sampled = true}, {}).explain(0, {}).front().audit.stability, 1);
  EXPECT_FALSE(session({.is_sampled = true}, {.seeds = 1}).explain(0, {}).front().audit.stability);
}

// With weights the wrong way round, what it says is not how the documents are ranked.
TEST_F(ExplainQueries, AbstainsBelowTheLimit) {
  SessionParams params;
  params.auditor.abstain.abstain_below = 0.9;
  const ExplanationSession wrong(subject, data, FakeExplainer({.weights = {-1, 2}, .k = 1}), params,
                                 context);
  const ExplanationView view = wrong.explain(0, {}).front();
  ASSERT_TRUE(view.abstains);
  EXPECT_TRUE(view.summary.starts_with("No conclusion should be drawn: reliability "))
      << view.summary;
}

TEST_F(ExplainQueries, RefusesWhatCannotBe) {
  EXPECT_EQ(message_of([&] { session({.gives_attributions = false}).explain_documents(0); }),
            "fake has no attributions of single documents; kernel-shap has them for any ranker");
  SessionParams params{.audit = false};
  params.auditor.abstain.abstain_below = 0.5;
  EXPECT_EQ(message_of([&] { session({}, params); }),
            "--abstain-below looks at what the audit measures; it does not go with --no-audit");
}

TEST_F(ExplainQueries, NamesNoMoreFeaturesThanThereAre) {
  const auto ask = [&](int k) {
    ExplanationSession(subject, data, FakeExplainer({.weights = {2, -1}, .k = k}), {}, context);
  };
  EXPECT_EQ(message_of([&] { ask(6); }), "fake shall choose 6 features, but the ranker has 2");
  ask(5);  // the default: as many as there are
}

// One feature is the whole answer; what rounding adds to the others is not named.
TEST_F(ExplainQueries, TrustAPerfectAnswerOfOneFeature) {
  const Dataset many = normal_data(40, {6, 6});
  std::vector<double> weights(40);
  weights[3] = 2;
  const auto one_feature = linear_scorer(weights);
  const Subject black_box{.scorer = *one_feature, .background = many};
  const ExplanationSession asked(black_box, many, *make_explainer("kernel-shap"), {}, context);
  const ExplanationView view = asked.explain(0, {.document = "rank:1"}).front();
  ASSERT_EQ(view.features.size(), 1);
  EXPECT_EQ(view.features[0].index, 3);
  EXPECT_EQ(view.audit.stability, 1);
  EXPECT_GT(view.audit.reliability, 0.99);
}

// Whatever samples says so: with an error, or that there is none known.
TEST_F(ExplainQueries, NoSampledAnswerClaimsToBeExact) {
  const Dataset rows = normal_data(12, {6, 6});
  const auto curved =
      make_function_scorer(12, [](MatrixView<const float> inputs, std::span<double> scores) {
        for (std::size_t r = 0; r < inputs.num_rows(); ++r) {
          scores[r] = 0;
          for (std::size_t f = 0; f < 12; ++f) {
            scores[r] += static_cast<double>(inputs(r, f) * inputs(r, (f + 1) % 12));
          }
        }
      });
  const Subject black_box{.scorer = *curved, .background = rows};
  for (const ExplainerInfo& info : explainer_table()) {
    const ExplainerTraits traits = info.make()->traits();
    if (traits.needs_model || !traits.gives_attributions || !traits.is_sampled) continue;
    for (const int seeds : {1, 3}) {
      const ExplanationSession asked(black_box, rows, *info.make(), {.seeds = seeds}, context);
      const ExplanationView view = asked.explain(0, {.document = "rank:1"}).front();
      const bool says_exact = view.audit.error_share == 0;
      EXPECT_FALSE(says_exact) << info.name;
      EXPECT_EQ(view.audit.error_share.has_value(),
                seeds > 1 || traits.explains_rankings || std::string(info.name) == "kernel-shap")
          << info.name;
    }
  }
}

TEST_F(ExplainQueries, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  context.stop = &stop;
  EXPECT_NE(message_of([&] { session().explain(0, {}); }), "no error");
}

}  // namespace
}  // namespace glassrank
