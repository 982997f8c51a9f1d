#include "glassrank/explain/audit/harness.h"

#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/explain/audit/audit_result.h"
#include "glassrank/explain/audit/self_checks.h"
#include "testing/explain_fixture.h"
#include "testing/message_of.h"
#include "testing/random_forests.h"
#include "testing/synthetic_test_data.h"

namespace glassrank {
namespace {

const std::vector<double> kWeights = {4, -2, 1, 0.5};

AuditMethod method_of(std::string label, std::unique_ptr<Explainer> explainer) {
  return {.label = std::move(label), .explainer = std::move(explainer), .aggregation = {}};
}

// The contributions of the linear scorer.
TruthSource linear_truth() {
  return {.name = "weights", .importance = [](const ExplainedQuery& query, std::uint32_t document) {
            std::vector<double> truth;
            for (std::size_t f = 0; f < kWeights.size(); ++f) {
              truth.push_back(kWeights[f] * static_cast<double>(query.rows(document, f)));
            }
            return truth;
          }};
}

class LinearAudit : public ::testing::Test {
 protected:
  LinearAudit() {
    methods_.push_back(method_of("exact", std::make_unique<FakeExplainer>(kWeights)));
    methods_.push_back(method_of("noisy", std::make_unique<FakeExplainer>(kWeights, 2.0)));
    methods_.push_back(method_of("set", std::make_unique<FakeExplainer>(first_features())));
    truths_.push_back(linear_truth());
  }

  AuditTask task() const {
    return {
        .subject = subject_, .data = data_, .methods = methods_, .truths = truths_, .depth = {}};
  }
  AuditResult run(const AuditParams& params, const Context& context = {}) const {
    return run_audit(task(), params, context);
  }

  const Dataset data_ = normal_data(4, {6, 1, 12, 3, 9, 5});
  const std::unique_ptr<const Scorer> scorer_ = linear_scorer(kWeights);
  const Subject subject_{.scorer = *scorer_, .background = data_};
  std::vector<AuditMethod> methods_;
  std::vector<TruthSource> truths_;
};

TEST_F(LinearAudit, AnExactExplainerAgreesWithTheTruth) {
  const AuditResult result = run({.k = 2});
  const AuditedMethod& exact = result.methods[0];
  EXPECT_DOUBLE_EQ(exact.find("weights_auc")->mean, 1);
  EXPECT_DOUBLE_EQ(exact.find("weights_spearman")->mean, 1);
  EXPECT_NEAR(exact.find("weights_euclidean")->mean, 1, 1e-12);
  EXPECT_NEAR(exact.find("additivity_residual")->mean, 0, 1e-12);
  EXPECT_EQ(exact.find("error_share")->mean, 0);
  EXPECT_EQ(exact.find("stability")->mean, 1);
  EXPECT_TRUE(exact.find("weights_spearman")->is_best);
  const AuditedMethod& noisy = result.methods[1];
  EXPECT_LT(noisy.find("weights_spearman")->mean, 0.999);
  EXPECT_LT(noisy.find("stability")->mean, 1);
  EXPECT_GT(noisy.find("error_share")->mean, 0);
  EXPECT_TRUE(noisy.is_sampled);
}

TEST_F(LinearAudit, ATruthWithoutSignsIsComparedByAmount) {
  const auto importance = truths_[0].importance;
  truths_[0].importance = [importance](const ExplainedQuery& query, std::uint32_t document) {
    std::vector<double> amounts = importance(query, document);
    for (double& value : amounts) value = std::abs(value);
    return amounts;
  };
  AuditParams params{.k = 2};
  EXPECT_LT(run(params).methods[0].find("weights_spearman")->mean, 0.99);
  truths_[0].has_signs = false;
  EXPECT_DOUBLE_EQ(run(params).methods[0].find("weights_spearman")->mean, 1);
  params.similarity.signs = Signs::kSigned;
  EXPECT_LT(run(params).methods[0].find("weights_spearman")->mean, 0.99);
}

TEST_F(LinearAudit, WhatAnExplainerDoesNotGiveIsNotMeasured) {
  const AuditResult result = run({.k = 2});
  const AuditedMethod& set = result.methods[2];
  EXPECT_EQ(set.find("weights_auc"), nullptr);
  EXPECT_EQ(set.find("additivity_residual"), nullptr);
  EXPECT_NE(set.find("validity"), nullptr);
  for (const MethodDifference& difference : result.differences) {
    EXPECT_FALSE(difference.measure == "weights_auc" && difference.b == "set");
  }
}

TEST_F(LinearAudit, AQueryOfOneDocumentHasNoRankingToExplain) {
  const AuditResult result = run({.k = 2, .documents = 0});
  EXPECT_EQ(result.num_queries, 6U);
  EXPECT_EQ(result.num_without_order, 1U);
  EXPECT_EQ(result.methods[0].find("validity")->num_queries, 5U);
  EXPECT_EQ(result.methods[0].find("weights_auc")->num_queries, 6U);
  EXPECT_EQ(result.num_documents, 36U);
}

TEST_F(LinearAudit, ValuesAreThoseOfTheMeasuresThemselves) {
  const AuditParams params{.k = 2, .sizes = {1, 3}, .documents = 2, .background_rows = 7};
  const AuditCases cases = measure_cases(task(), params, {});
  const Auditor auditor(subject_, params.auditor, {});
  std::size_t rankings = 0;
  for (const AuditCase& audited : cases.cases) {
    if (audited.method != 2 || audited.document) continue;  // "set" names 0, 1, 2
    const ExplainedQuery query = view_query(subject_, data_, audited.query, {});
    const QueryAuditor of_query(auditor, query, {});
    const std::vector<std::vector<std::uint32_t>> sets = {{0, 1}, {0}, {0, 1, 2}};
    const auto left = of_query.measure(Target::of_ranking(), sets, {});
    const auto value = [&](std::string_view name) {
      const auto found = std::ranges::find(cases.measures, name, &Measure::name);
      return audited.values[found - cases.measures.begin()];
    };
    EXPECT_EQ(value("validity"), left[0].validity);
    EXPECT_EQ(value("completeness"), left[0].completeness);
    EXPECT_EQ(value("validity@1"), left[1].validity);
    EXPECT_EQ(value("validity@3"), left[2].validity);
    EXPECT_EQ(value("completeness@3"), left[2].completeness);
    EXPECT_EQ(value("reliability"), std::max(0.0, left[0].validity));
    EXPECT_GE(value("preservation"), -1);
    ++rankings;
  }
  EXPECT_EQ(rankings, 5U);
}

TEST_F(LinearAudit, SampledExplainersAreAskedWithEverySeed) {
  const AuditParams params{.k = 2, .documents = 3, .seeds = 2};
  const AuditCases cases = measure_cases(task(), params, {.seed = 5});
  const auto of = [&](std::string_view name, std::size_t c) {
    const auto found = std::ranges::find(cases.measures, name, &Measure::name);
    return cases.cases[c].values[found - cases.measures.begin()];
  };
  // By hand for the first query: the mean over seeds 5 and 6.
  const ExplainedQuery query = view_query(subject_, data_, 0, {});
  std::vector<Explanation> answers;
  for (const std::uint64_t seed : {5, 6}) {
    FakeExplainer noisy(kWeights, 2.0);
    set_num_chosen(noisy, 2);
    answers.push_back(
        explain_targets(noisy, query, std::vector{Target::of_ranking()}, {}, {.seed = seed})
            .front());
  }
  const auto noisy_case = std::ranges::find(cases.cases, 1U, &AuditCase::method);
  ASSERT_NE(noisy_case, cases.cases.end());
  const auto c = static_cast<std::size_t>(noisy_case - cases.cases.begin());
  EXPECT_DOUBLE_EQ(of("error_share", c), (*error_share(answers[0]) + *error_share(answers[1])) / 2);
  for (Explanation& answer : answers) answer.features = sure_features(answer);
  const std::optional<double> again = stability(answers[0], std::span(answers).subspan(1));
  EXPECT_EQ(std::isnan(of("stability", c)), !again);
  EXPECT_DOUBLE_EQ(again ? of("stability", c) : 1, again.value_or(1));
}

TEST_F(LinearAudit, QueriesAreDrawnWithoutReplacement) {
  const AuditCases cases = measure_cases(task(), {.k = 2, .queries = 4}, {.seed = 3});
  ASSERT_EQ(cases.queries.size(), 4U);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LT(cases.queries[i - 1], cases.queries[i]);
  EXPECT_EQ(measure_cases(task(), {.k = 2, .queries = 99}, {}).queries.size(), 6U);
}

TEST_F(LinearAudit, AbstentionsAreCounted) {
  AuditParams params{.k = 1};
  EXPECT_EQ(run(params).methods[2].num_abstained, 0U);
  params.auditor.abstain.abstain_below = 1;
  EXPECT_GT(run(params).methods[2].num_abstained, 0U);
}

TEST_F(LinearAudit, WhatDoesNotFitIsRefused) {
  EXPECT_EQ(message_of([&] { run({.k = 5}); }), "5 features cannot be named; the ranker has 4");
  EXPECT_EQ(message_of([&] { run({.k = 2, .sizes = {1, 7}}); }),
            "7 features cannot be named; the ranker has 4");
  EXPECT_EQ(message_of([&] { run({.k = 2, .sizes = {1.5}}); }),
            "sizes: 1.5 is not a whole number of features");
  EXPECT_EQ(message_of([&] { run({.k = 0}); }), "k = 0 is out of range; it must be x >= 1");
  AuditTask none = task();
  none.methods = {};
  EXPECT_EQ(message_of([&] { run_audit(none, {}, {}); }),
            "5 features cannot be named; the ranker "
            "has 4");
  EXPECT_EQ(message_of([&] { run_audit(none, {.k = 1}, {}); }),
            "an audit needs at least one explainer");
  methods_[1].label = "exact";
  EXPECT_EQ(message_of([&] { run({.k = 2}); }),
            "two methods are called 'exact'; give one of them a label, as in other=exact");
}

TEST_F(LinearAudit, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  Context context;
  context.stop = &stop;
  EXPECT_NE(message_of([&] { run({.k = 2}, context); }), "no error");
}

TEST_F(LinearAudit, ALineOfTheTableIsAnAnswer) {
  const AuditResult result = run({.k = 2, .documents = 1});
  const Table table = audit_cases_table(result, data_);
  EXPECT_EQ(table.rows().size(), result.cases.cases.size());
  EXPECT_EQ(table.columns().size(), 4 + result.cases.measures.size());
  const std::string text = table_tsv(table);
  EXPECT_EQ(text.substr(0, 52), "query\tmethod\tdocument\tfeatures\tvalidity\tcompleteness");
  EXPECT_NE(text.find("\nq1\texact\t\tf"), std::string::npos);
  EXPECT_NE(text.find("\nq1\tset\t\tf0,f1\t"), std::string::npos);
}

TEST(Audit, DoesNotDependOnTheNumberOfThreads) {
  ForestMaker maker(11);
  Forest forest;
  while (forest.trees().size() < 3 || forest.num_features() < 4) forest = maker.forest({});
  const Model model{.body = forest, .provenance = {}};
  const auto scorer = make_scorer(model);
  const Dataset data = normal_data(forest.num_features(), std::vector<std::size_t>(40, 7), 3);
  const Subject subject{.scorer = *scorer, .model = &model, .background = data};
  std::vector<AuditMethod> methods;
  methods.push_back(method_of("noisy", std::make_unique<FakeExplainer>(
                                           std::vector<double>(forest.num_features(), 1.0), 0.5)));
  methods.push_back(method_of("set", std::make_unique<FakeExplainer>(first_features())));
  const AuditTask task{
      .subject = subject, .data = data, .methods = methods, .truths = {}, .depth = {}};
  const auto values = [&](int threads) {
    std::vector<std::vector<double>> all;
    for (const AuditCase& audited : measure_cases(task, {.k = 3}, context_with(threads)).cases) {
      all.push_back(audited.values);
    }
    return all;
  };
  const auto one = values(1);
  ASSERT_FALSE(one.empty());
  for (const int threads : {2, 4}) {
    const auto many = values(threads);
    ASSERT_EQ(many.size(), one.size());
    for (std::size_t c = 0; c < one.size(); ++c) {
      for (std::size_t m = 0; m < one[c].size(); ++m) {
        EXPECT_TRUE(one[c][m] == many[c][m] || (std::isnan(one[c][m]) && std::isnan(many[c][m])));
      }
    }
  }
}

}  // namespace
}  // namespace glassrank
