#include "glassrank/explain/audit/query_auditor.h"

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/explain/audit/preservation.h"
#include "testing/explain_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using Set = std::vector<std::uint32_t>;
using Values = std::vector<double>;

TEST(TargetAgreement, AsksAboutThePairsOfTheTarget) {
  const Values scores = {4, 3, 2, 1};
  const Values others = {1, 3, 2, 2};
  // Pairs by document: 01 turned, 02 turned, 03 turned, 12 kept, 13 kept, 23 tied.
  EXPECT_DOUBLE_EQ(target_agreement(Target::of_ranking(), scores, others, Tau::kA), -1.0 / 6);
  EXPECT_DOUBLE_EQ(target_agreement(Target::of_document(0), scores, others, Tau::kA), -1);
  EXPECT_DOUBLE_EQ(target_agreement(Target::of_document(1), scores, others, Tau::kA), 1.0 / 3);
  EXPECT_DOUBLE_EQ(target_agreement(Target::of_document(2), scores, others, Tau::kA), 0);
  EXPECT_DOUBLE_EQ(target_agreement(Target::of_pair(0, 1), scores, others, Tau::kA), -1);
  EXPECT_DOUBLE_EQ(target_agreement(Target::of_pair(2, 1), scores, others, Tau::kA), 1);
  EXPECT_DOUBLE_EQ(target_agreement(Target::of_pair(3, 2), scores, others, Tau::kA), 0);
  EXPECT_DOUBLE_EQ(target_agreement(Target::of_document(0), Values{1}, Values{2}, Tau::kA), 1);
}

// 4 a + 2 b + c of three documents; the background is one row of zeros.
class ThreeDocuments : public ::testing::Test {
 protected:
  const Dataset data_ = data_of_rows({{1, 0, 1}, {0, 1, 1}, {0, 0, 2}});
  const Dataset background_ = data_of_rows({{0, 0, 0}});
  const std::unique_ptr<const Scorer> scorer_ = linear_scorer({4, 2, 1});
  const Subject subject_{.scorer = *scorer_, .background = background_};
  const ExplainedQuery query_ = view_query(subject_, data_, 0, {});

  Explanation audited(Explanation explanation, const AuditorParams& params = {},
                      std::vector<Explanation> others = {}) const {
    const Auditor auditor(subject_, params, {});
    QueryAuditor(auditor, query_, {}).audit(explanation, others, {});
    return explanation;
  }
};

TEST_F(ThreeDocuments, OneCallMeasuresManySets) {
  const Auditor auditor(subject_, {}, {});
  const QueryAuditor of_query(auditor, query_, {});
  const std::vector<Set> sets = {{}, {0}, {0, 1}, {0, 1, 2}};
  const auto left = of_query.measure(Target::of_ranking(), sets, {});
  // Only a known: 4 0 0; a and b: 4 2 0; without a: 1 3 2; without a and b: 1 1 2.
  const Values valid = {0, 2.0 / 3, 1, 1};
  const Values complete = {1, -1.0 / 3, -2.0 / 3, 0};
  for (std::size_t s = 0; s < sets.size(); ++s) {
    EXPECT_DOUBLE_EQ(left[s].validity, valid[s]) << s;
    EXPECT_DOUBLE_EQ(left[s].completeness, complete[s]) << s;
    EXPECT_DOUBLE_EQ(left[s].validity, validity(*make_plain_perturbation(*scorer_, query_.rows,
                                                                         background_.features()),
                                                query_.scores, sets[s], Tau::kA, {}));
  }
  EXPECT_EQ(message_of([&] { of_query.measure(Target::of_ranking(), std::vector<Set>{{3}}, {}); }),
            "there is no feature 4; the ranker has 3 features");
}

TEST_F(ThreeDocuments, EveryNumberOfAnExplanationIsFilled) {
  Explanation explanation;
  explanation.value = 5;
  explanation.attributions = {4, 0, 2};  // one too many
  explanation.standard_errors = {1, 0, 0};
  explanation.features = {0, 2};
  Explanation other;
  other.features = {0, 1};
  const Explanation result = audited(explanation, {}, {other});
  EXPECT_DOUBLE_EQ(result.audit.additivity_residual.value(), 0.25);
  EXPECT_DOUBLE_EQ(result.audit.error_share.value(), 0.25);
  EXPECT_DOUBLE_EQ(result.audit.stability.value(), 0.5);
  // a and c known: 5 1 2. Without them: 0 2 0.
  EXPECT_DOUBLE_EQ(result.audit.validity.value(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(result.audit.completeness.value(), 0);
  EXPECT_DOUBLE_EQ(result.audit.reliability.value(), 1.0 / 3);
  EXPECT_EQ(result.abstains, "");
}

TEST_F(ThreeDocuments, AnUnreliableExplanationAbstains) {
  Explanation explanation;
  explanation.features = {2};
  const Explanation result = audited(explanation, {.abstain = {.abstain_below = 0.5}});
  EXPECT_DOUBLE_EQ(result.audit.validity.value(), -2.0 / 3);
  EXPECT_EQ(result.audit.reliability, 0);
  EXPECT_NE(result.abstains, "");
  EXPECT_FALSE(result.audit.stability);
  EXPECT_FALSE(result.audit.error_share);
}

TEST_F(ThreeDocuments, AQueryOfOneDocumentHasNoOrder) {
  const Dataset one = data_of_rows({{1, 2, 3}});
  const ExplainedQuery query = view_query(subject_, one, 0, {});
  const Auditor auditor(subject_, {}, {});
  Explanation explanation;
  explanation.features = {0};
  QueryAuditor(auditor, query, {}).audit(explanation, {}, {});
  EXPECT_FALSE(explanation.audit.validity);
  EXPECT_FALSE(explanation.audit.completeness);
  EXPECT_FALSE(explanation.audit.reliability);
  EXPECT_EQ(explanation.abstains, "query q1 has one document: there is no order to explain");
}

TEST_F(ThreeDocuments, EqualScoresHaveNoOrderToKeep) {
  const Dataset tied = data_of_rows({{1, 0, 0}, {0, 2, 0}});
  const ExplainedQuery query = view_query(subject_, tied, 0, {});
  const Auditor auditor(subject_, {}, {});
  Explanation explanation;
  explanation.target = Target::of_document(0);
  explanation.value = 4;
  explanation.attributions = {4, 0, 0};
  explanation.features = {0};
  QueryAuditor(auditor, query, {}).audit(explanation, {}, {});
  EXPECT_FALSE(explanation.audit.validity);
  EXPECT_EQ(explanation.audit.reliability, 1);  // its score is still made of its parts
}

TEST_F(ThreeDocuments, ErrorsOfWhatIsSampledComeFromOtherSeeds) {
  Explanation explanation;
  explanation.value = 5;
  explanation.attributions = {4, 0, 1};
  explanation.features = {0};
  explanation.is_sampled = true;
  EXPECT_FALSE(audited(explanation).audit.error_share);
  Explanation other = explanation;
  other.attributions = {4, 0, 3};
  const Explanation result = audited(explanation, {}, {other});
  EXPECT_DOUBLE_EQ(result.audit.error_share.value(), std::sqrt(2.0) / 4);
  EXPECT_DOUBLE_EQ(result.standard_errors[2], std::sqrt(2.0));
}

// b and c differ from seed to seed as much as they are: neither answer names them.
TEST_F(ThreeDocuments, NoiseIsNeitherNamedNorCompared) {
  Explanation explanation;
  explanation.value = 5;
  explanation.attributions = {4, 0, 1};
  explanation.features = {0, 2};
  explanation.is_sampled = true;
  Explanation other = explanation;
  other.attributions = {4, 1, 0};
  other.features = {0, 1};
  const Explanation result = audited(explanation, {}, {other});
  EXPECT_EQ(result.features, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(result.audit.stability, 1);
  explanation.names_unsure = other.names_unsure = true;
  const Explanation all = audited(explanation, {}, {other});
  EXPECT_EQ(all.features, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(all.audit.stability, 0.5);
}

TEST_F(ThreeDocuments, TheFitOfALineAndAllFeaturesCount) {
  Explanation explanation;
  explanation.value = 5;
  explanation.attributions = {4, -2, 1};
  explanation.features = {0, 1, 2};
  explanation.fit = 0.25;
  EXPECT_EQ(audited(explanation).audit.reliability, 0.25);
  explanation.fit.reset();
  const Explanation all = audited(explanation);
  EXPECT_TRUE(all.audit.names_all);
  EXPECT_EQ(all.audit.reliability, 0.5);  // 3 of 5 and none of validity's 1
}

TEST_F(ThreeDocuments, PreservationAveragesTausOverBackgroundRows) {
  const Dataset rows = data_of_rows({{0, 0, 0}, {0, 0, 9}, {5, 0, 0}});
  const auto perturbation = make_plain_perturbation(*scorer_, query_.rows, rows.features());
  // Only b known, whatever the row adds: b is 0 1 0, so 01 turned, 02 tied, 12 kept: 0.
  // b from the row, always 0: 5 1 2, so 01 kept, 02 kept, 12 turned: 1/3.
  const Set features = {1};
  Preservation result = measure_preservation(*perturbation, query_.scores, features, Tau::kA, {});
  EXPECT_DOUBLE_EQ(result.preservation, 0);
  EXPECT_DOUBLE_EQ(result.deletion, 1.0 / 3);
  EXPECT_EQ(
      message_of([&] { measure_preservation(*perturbation, query_.scores, Set{7}, Tau::kA, {}); }),
      "there is no feature 8; the ranker has 3 features");
}

TEST(Preservation, IsNotTheTauOfMeanScores) {
  // The sign of the second feature turns the order round.
  const auto scorer =
      make_function_scorer(2, [](MatrixView<const float> rows, std::span<double> scores) {
        for (std::size_t r = 0; r < rows.num_rows(); ++r) scores[r] = rows(r, 0) * rows(r, 1);
      });
  const Dataset documents = data_of_rows({{1, 1}, {2, 1}});
  const Dataset rows = data_of_rows({{0, 3}, {0, -1}});
  const auto perturbation = make_plain_perturbation(*scorer, documents.features(), rows.features());
  const Values scores = {1, 2};
  const Set first = {0};
  EXPECT_EQ(measure_preservation(*perturbation, scores, first, Tau::kA, {}).preservation, 0);
  EXPECT_EQ(validity(*perturbation, scores, first, Tau::kA, {}), 1);
}

}  // namespace
}  // namespace glassrank
