#include "glassrank/explain/audit/audit_result.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/explain/audit/audit_report.h"
#include "testing/explain_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

// Six queries; "good" is 0.2 above "bad" in every one. Documents have a measure of their own.
class Summarised : public ::testing::Test {
 protected:
  Summarised() {
    methods_.push_back({"good", std::make_unique<FakeExplainer>(std::vector<double>{1, 1}), {}});
    methods_.push_back({"bad", std::make_unique<FakeExplainer>(std::vector<double>{1, 1}), {}});
    cases_.measures = {{.name = "validity", .doc = ""},
                       {.name = "completeness", .doc = "", .higher_is_better = false},
                       {.name = "true_spearman", .doc = "", .is_of_documents = true}};
    cases_.seconds = {12, 6};
    for (std::size_t q = 0; q < 6; ++q) {
      cases_.queries.push_back(q);
      for (std::uint32_t m = 0; m < 2; ++m) {
        const double base = 0.1 * static_cast<double>(q) + (m == 0 ? 0.2 : 0);
        cases_.cases.push_back(
            {.query = q, .method = m, .document = {}, .values = {base, 0.5, NAN}});
        // Query 0 has two documents, one of them without a value.
        const std::uint32_t num_documents = q == 0 ? 2 : 1;
        for (std::uint32_t d = 0; d < num_documents; ++d) {
          cases_.cases.push_back({.query = q,
                                  .method = m,
                                  .document = d,
                                  .values = {NAN, NAN, d == 0 ? base : NAN},
                                  .depth = static_cast<double>(q % 2 + 1)});
        }
      }
    }
  }

  AuditResult result() const {
    const AuditTask task{
        .subject = subject_, .data = data_, .methods = methods_, .truths = {}, .depth = {}};
    return summarise(task, {.k = 1}, cases_, {});
  }

  const Dataset data_ = normal_data(2, {2, 1, 1, 1, 1, 1});
  const std::unique_ptr<const Scorer> scorer_ = linear_scorer({1, 1});
  const Subject subject_{.scorer = *scorer_, .background = data_};
  std::vector<AuditMethod> methods_;
  AuditCases cases_;
};

TEST_F(Summarised, MeansErrorsAndTheBestFollowFromTheQueries) {
  const AuditResult audit = result();
  const MeasureMean& good = *audit.methods[0].find("validity");
  // 0.2 .. 0.7: mean 0.45, variance 0.175 / 5
  EXPECT_DOUBLE_EQ(good.mean, 0.45);
  EXPECT_DOUBLE_EQ(good.standard_deviation, std::sqrt(0.035));
  EXPECT_DOUBLE_EQ(good.standard_error, std::sqrt(0.035 / 6));
  EXPECT_EQ(good.num_queries, 6U);
  EXPECT_TRUE(good.is_best);
  EXPECT_TRUE(good.is_clearly_best);
  EXPECT_FALSE(good.p_best);
  // All six differences have one sign: two of 2^6 sign patterns are as extreme.
  EXPECT_DOUBLE_EQ(audit.methods[1].find("validity")->p_best.value(), 2.0 / 64);
  EXPECT_EQ(audit.methods[0].seconds_per_query, 2);
  EXPECT_EQ(audit.methods[0].explainer, "fake");
}

TEST_F(Summarised, EqualExplainersAreNotToldApart) {
  const AuditResult audit = result();
  EXPECT_TRUE(audit.methods[0].find("completeness")->is_best);
  EXPECT_FALSE(audit.methods[0].find("completeness")->is_clearly_best);
  EXPECT_EQ(audit.methods[1].find("completeness")->p_best, 1);
}

TEST_F(Summarised, DocumentsAreAveragedWithinTheirQuery) {
  const AuditResult audit = result();
  EXPECT_EQ(audit.num_documents, 7U);
  const MeasureMean& mean = *audit.methods[0].find("true_spearman");
  EXPECT_DOUBLE_EQ(mean.mean, 0.45);
  EXPECT_EQ(mean.num_undefined, 1U);
  ASSERT_EQ(audit.depths.size(), 2U);
  EXPECT_EQ(audit.depths[0].method, "good");
  EXPECT_EQ(audit.depths[0].depths.groups.size(), 2U);
  EXPECT_EQ(audit.depths[0].depths.groups[0].values.count, 3U);
}

TEST_F(Summarised, DifferencesAreOfEveryPairAndMeasure) {
  const AuditResult audit = result();
  ASSERT_EQ(audit.differences.size(), 3U);
  EXPECT_EQ(audit.differences[0].a, "good");
  EXPECT_EQ(audit.differences[0].b, "bad");
  EXPECT_NEAR(audit.differences[0].mean_difference, 0.2, 1e-12);
  EXPECT_TRUE(audit.differences[0].significant);
  EXPECT_EQ(audit.differences[1].mean_difference, 0);
}

TEST_F(Summarised, TheReportMarksTheBest) {
  EXPECT_EQ(audit_text(result()),
            R"(6 queries, 1 feature named in each answer; means over queries ± standard errors

the ranking with only, and without, the named features
method  validity        completeness (low)
good    0.450 ±0.076 *  0.500 ±0.000 =
bad     0.250 ±0.076    0.500 ±0.000 =

7 documents against true
method  spearman
good    0.450 ±0.076 *
bad     0.250 ±0.076

correlation of agreement with the depth of a document's path
method  truth  auc  spearman  euclidean
good    true           0.293
bad     true           0.293

* best, different from every other (fisher, holm, p <= 0.05); = best, or not different from it
good: true_spearman has no value for 1 answers
bad: true_spearman has no value for 1 answers
)");
}

TEST_F(Summarised, OneExplainerAloneIsNotCompared) {
  methods_.pop_back();
  std::erase_if(cases_.cases, [](const AuditCase& c) { return c.method == 1; });
  cases_.seconds = {1};
  const AuditResult audit = result();
  EXPECT_TRUE(audit.differences.empty());
  EXPECT_TRUE(audit.methods[0].find("validity")->is_best);
  EXPECT_FALSE(audit.methods[0].find("validity")->is_clearly_best);
}

std::vector<std::string> params_of(AuditMethods& methods) {
  ParamLister lister;
  methods.visit(lister);
  std::vector<std::string> texts;
  for (const ParamInfo& info : lister.infos) texts.push_back(info.name + "=" + info.value);
  return texts;
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

TEST(AuditMethods, HaveAGroupOfParametersEach) {
  AuditMethods methods;
  methods.choose({"shap-1=kernel-shap", "ranking-shap"});
  EXPECT_TRUE(has(params_of(methods), "shap-1.top_documents=5"));
  EXPECT_FALSE(
      has(params_of(methods), "ranking-shap.top_documents=5"));  // explains rankings itself
  ParamSetter setter("shap-1.top_documents", {"1"});
  methods.visit(setter);
  EXPECT_TRUE(setter.found());
  // The same text keeps its parameters, another one begins with the defaults.
  methods.choose({"shap-5=kernel-shap", "shap-1=kernel-shap"});
  EXPECT_TRUE(has(params_of(methods), "shap-1.top_documents=1"));
  EXPECT_TRUE(has(params_of(methods), "shap-5.top_documents=5"));
  EXPECT_EQ(message_of([&] { methods.choose({"tree-shap", "tree-shap"}); }),
            "two methods are called 'tree-shap'; give one of them a label, as in other=tree-shap");
}

TEST(AuditMethod, NamesAsManyFeaturesAsItCan) {
  FakeExplainer few(first_features());
  set_num_chosen(few, 3);
  EXPECT_EQ(few.num_chosen(), 3U);
  set_num_chosen(few, 10);
  EXPECT_EQ(few.num_chosen(), 6U);
}

TEST(AuditMethod, IsNamedByItsExplainerOrALabel) {
  EXPECT_EQ(parse_audit_method("tree-shap").label, "tree-shap");
  EXPECT_EQ(parse_audit_method("mine=tree-shap").label, "mine");
  EXPECT_EQ(parse_audit_method("mine=tree-shap").explainer->name(), "tree-shap");
  EXPECT_EQ(message_of([] { parse_audit_method("=x"); }),
            "method '=x': a label in front of '=' has letters and no dot");
  EXPECT_EQ(message_of([] { parse_audit_method("a.b=x"); }),
            "method 'a.b=x': a label in front of '=' has letters and no dot");
  EXPECT_NE(message_of([] { parse_audit_method("a=no-such-thing"); }).find("no-such-thing"),
            std::string::npos);
}

}  // namespace
}  // namespace glassrank
