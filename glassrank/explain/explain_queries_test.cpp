#include "glassrank/explain/explain_queries.h"

#include <gtest/gtest.h>

#include "testing/fake_explainer.h"
#include "testing/message_of.h"
#include "testing/study_fixture.h"

namespace glassrank {
namespace {

// score = 2 x0 - x1
std::unique_ptr<const Scorer> linear_scorer() {
  return make_function_scorer(2, [](MatrixView<const float> rows, std::span<double> scores) {
    for (std::size_t r = 0; r < rows.num_rows(); ++r) scores[r] = 2 * rows(r, 0) - rows(r, 1);
  });
}

class ExplainQueries : public ::testing::Test {
 protected:
  ExplanationSession session(const ExplainerTraits& traits = {}) const {
    return {subject, data, testing::FakeExplainer({2, -1}, traits), {}, context};
  }
  Context context;
  Dataset data = testing::documents_of({2, 2}, {0, 1, 2, 0}, {{1, 0}, {3, 1}, {4, 4}, {0, 5}});
  std::unique_ptr<const Scorer> scorer = linear_scorer();
  Subject subject{.scorer = *scorer, .background = data};
};

TEST_F(ExplainQueries, GivesAViewOfWhatIsAskedFor) {
  const ExplanationView view = session().explain(0, {.document = "rank:1"});
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
  EXPECT_EQ(session().explain(1, {.pair = {"1", "2"}}).value, 9);  // 4 - (-5)
  EXPECT_EQ(session().explain(1, {}).target, TargetKind::kRanking);
}

TEST_F(ExplainQueries, ExplainsEveryDocumentBestFirst) {
  const auto documents = session().explain_documents(0);
  ASSERT_EQ(documents.explanations.size(), 2);
  EXPECT_EQ(documents.explanations[0].target, Target::of_document(1));
  EXPECT_EQ(documents.explanations[0].value, 5);
  EXPECT_EQ(documents.names.documents, (std::vector<std::string>{"1", "2"}));
}

TEST_F(ExplainQueries, RefusesWhatTheExplainerCannotDo) {
  EXPECT_EQ(message_of([&] { session({.needs_model = true}); }),
            "fake looks into the model, and a command shows only its scores; kernel-shap explains "
            "any ranker");
  EXPECT_EQ(message_of([&] { session({.gives_attributions = false}).explain_documents(0); }),
            "fake has no attributions of single documents; kernel-shap has them for any ranker");
}

TEST_F(ExplainQueries, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  context.stop = &stop;
  EXPECT_NE(message_of([&] { session().explain(0, {}); }), "no error");
}

}  // namespace
}  // namespace glassrank
