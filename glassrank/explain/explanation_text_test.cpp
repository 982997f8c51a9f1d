// Explanations in words: the sentences exactly as people read them.

#include "glassrank/explain/explanation_text.h"

#include <limits>

#include <gtest/gtest.h>

#include "glassrank/explain/explanation_summary.h"
#include "glassrank/explain/explanation_words.h"
#include "testing/explanation_fixture.h"

namespace glassrank {
namespace {

using testing::ExampleQuery;

std::string summary_of(const Explanation& explanation) {
  const ExampleQuery query;
  return query.view(explanation).summary;
}

TEST(ExplanationSummary, SaysWhatRaisesAScore) {
  EXPECT_EQ(summary_of(ExampleQuery::of_document()),
            "river is at rank 1 of 3. Its score of 2.31 is 1.80 above 0.51, the score with no "
            "feature known: bm25_title is 7.1 (+1.30), price is 5.49 (+0.60) and feature 4 is "
            "missing (-0.10).");
}

TEST(ExplanationSummary, SaysWhatLowersAScoreAndSumsTheRest) {
  Explanation low = ExampleQuery::of_document();
  low.target = Target::of_document(1);
  low.value = 0.71;
  low.base_value = 1;
  low.attributions = {-0.4, 0.2, -0.1, 0.01};
  EXPECT_EQ(summary_of(low),
            "sea is at rank 2 of 3. Its score of 0.710 is 0.290 below 1.000, the score with no "
            "feature known: bm25_title is 2 (-0.400), price is 12 (+0.200), in_stock is off "
            "(-0.100) and 1 other feature (+0.010).");
}

TEST(ExplanationSummary, RoundsAScoreByItsOwnSize) {
  Explanation small = ExampleQuery::of_document();
  small.base_value = 2.31 + 113;
  small.attributions = {-113, 0, 0, 0};
  EXPECT_EQ(
      summary_of(small),
      "river is at rank 1 of 3. Its score of 2.31 is 113 below 115, the score with no feature "
      "known: bm25_title is 7.1 (-113).");
}

TEST(ExplanationText, StarsNothingThatIsWrittenAsZero) {
  const ExampleQuery query;
  Explanation explanation = ExampleQuery::of_document();
  explanation.attributions = {1.8, 1e-4, 0, 0};
  explanation.features = {0, 1};
  const std::string text = explanation_text(query.view(explanation), {});
  EXPECT_NE(text.find("bm25_title *"), std::string::npos);
  EXPECT_EQ(text.find("price *"), std::string::npos);
}

TEST(ExplanationSummary, SaysWhenAScoreIsTheBaseValue) {
  Explanation flat = ExampleQuery::of_document();
  flat.value = flat.base_value = 2.31;
  flat.attributions = {1, -1, 0, 0};
  EXPECT_EQ(summary_of(flat),
            "river is at rank 1 of 3. Its score of 2.31 is the score with no feature known: "
            "bm25_title is 7.1 (+1.00) and price is 5.49 (-1.00).");
}

TEST(ExplanationSummary, SaysWhyADocumentIsAboveAnother) {
  EXPECT_EQ(summary_of(ExampleQuery::of_pair()),
            "river is above sea because bm25_title is 7.1 against 2.0: +1.30 of the +1.60 "
            "difference. Also price is 5.49 against 12.00 (+0.50). On the other side in_stock is "
            "on against off (-0.20).");
}

TEST(ExplanationSummary, SaysThatASharedValueActsWithOthers) {
  Explanation pair = ExampleQuery::of_pair();
  pair.target = Target::of_pair(0, 2);
  pair.attributions = {0.4, 0, 1.2, 0};
  EXPECT_EQ(summary_of(pair),
            "river is above hill because in_stock is on in both but acts with other features: "
            "+1.20 of the +1.60 difference. Also bm25_title is 7.1 against 2.0 (+0.40).");
}

TEST(ExplanationSummary, SaysWhyADocumentIsBelowAnother) {
  Explanation below = ExampleQuery::of_pair();
  below.target = Target::of_pair(1, 0);
  below.value = -1.6;
  below.attributions = {-1.3, -0.5, 0.2, 0};
  EXPECT_EQ(summary_of(below),
            "sea is below river because bm25_title is 2.0 against 7.1: -1.30 of the -1.60 "
            "difference. Also price is 12.00 against 5.49 (-0.50). On the other side in_stock is "
            "off against on (+0.20).");
}

TEST(ExplanationSummary, SaysWhenOneReasonIsMoreThanTheWhole) {
  Explanation pair = ExampleQuery::of_pair();
  pair.attributions = {2.6, 0, 0, -1};
  EXPECT_EQ(summary_of(pair),
            "river is above sea because bm25_title is 7.1 against 2.0: +2.60, more than the "
            "+1.60 difference. On the other side feature 4 is missing against 1 (-1.00).");
}

TEST(ExplanationSummary, SaysWhenItIsNotAboutScores) {
  Explanation place = ExampleQuery::of_document();
  place.explainer = "ranking-shap";
  place.value = 0.9;
  place.base_value = 0.5;
  place.attributions = {0.3, 0.1, 0, 0};
  EXPECT_EQ(summary_of(place),
            "river is at rank 1 of 3. What ranking-shap measures of it, 0.900, is 0.400 above "
            "0.500, the value with no feature known: bm25_title is 7.1 (+0.300) and price is 5.49 "
            "(+0.100).");
  place.target = Target::of_pair(0, 1);
  EXPECT_EQ(summary_of(place),
            "river is above sea because bm25_title is 7.1 against 2.0: +0.300 of the +0.900 that "
            "ranking-shap measures. Also price is 5.49 against 12.00 (+0.100).");
}

TEST(ExplanationSummary, SaysValuesInTheExplainersOwnWords) {
  Explanation place = ExampleQuery::of_document();
  place.attributions = {0.9, 0.1, 0, 0};
  place.value = 2;
  place.base_value = 1;
  place.value_sentence = "It is ahead of 2 of 2 other documents";
  EXPECT_EQ(summary_of(place),
            "river is at rank 1 of 3. It is ahead of 2 of 2 other documents: bm25_title is 7.1 "
            "(+0.90) and price is 5.49 (+0.10).");
  Explanation line = ExampleQuery::of_document();
  line.base_words = "what the fitted line gives with every feature changed";
  EXPECT_TRUE(summary_of(line).find("1.80 above 0.51, what the fitted line gives with every") !=
              std::string::npos);
}

TEST(ExplanationSummary, SaysThatEqualScoresKeepTheOrderOfTheData) {
  Explanation tie = ExampleQuery::of_pair();
  tie.target = Target::of_pair(2, 1);
  tie.value = 0;
  tie.attributions = {0, 0, 0.3, -0.3};
  EXPECT_EQ(summary_of(tie),
            "hill and sea have the same score; sea is above only because equal scores keep the "
            "order of the data. For hill: in_stock is on against off (+0.300). For sea: feature 4 "
            "is 2 against 1 (-0.300).");
}

TEST(ExplanationSummary, SaysWhenNothingSpeaksForAnOrder) {
  Explanation pair = ExampleQuery::of_pair();
  pair.attributions = {0, 0, -0.2, 0};
  EXPECT_EQ(summary_of(pair), "river is above sea; no feature was found that speaks for it.");
}

TEST(ExplanationSummary, SaysWhichFeaturesGiveTheOrder) {
  Explanation ranking = ExampleQuery::of_ranking();
  EXPECT_EQ(summary_of(ranking),
            "These 2 features explain most of the order: bm25_title and feature 4.");
  ranking.audit.validity = 0.826;
  EXPECT_EQ(summary_of(ranking),
            "Knowing only bm25_title and feature 4, the ranker keeps tau 0.83 of this order (1 is "
            "all of it).");
  ranking.audit.completeness = 0.2;
  EXPECT_EQ(summary_of(ranking),
            "Knowing only bm25_title and feature 4, the ranker keeps tau 0.83 of this order (1 is "
            "all of it). Knowing all but these 2, it keeps 0.20.");
  ranking.audit.completeness = 0.118;
  ranking.features = {0};
  EXPECT_EQ(summary_of(ranking),
            "Knowing only bm25_title, the ranker keeps tau 0.83 of this order (1 is all of it). "
            "Knowing all but this one, it keeps 0.12.");
  ranking.features = {};
  EXPECT_EQ(summary_of(ranking), "No feature was found that explains the order of query q7.");
}

TEST(ExplanationSummary, SaysWhenThereIsNoOrder) {
  const ExampleQuery query;
  ExplanationView view = query.view(ExampleQuery::of_ranking());
  for (ViewedDocument& document : view.documents) document.score = 2;
  EXPECT_EQ(explanation_summary(view),
            "All 3 documents of query q7 have the same score: the order is that of the data.");
  view.num_documents = 1;
  EXPECT_EQ(explanation_summary(view), "Query q7 has one document: there is no order to explain.");
}

TEST(ExplanationSummary, DoesNotExplainByASetThatKeepsNoOrder) {
  Explanation set = ExampleQuery::of_ranking();
  set.target = Target::of_pair(0, 2);
  set.audit.validity = 0;
  EXPECT_EQ(summary_of(set),
            "river is above hill; no set of features was found that keeps this order.");
  set.target = Target::of_document(0);
  set.audit.validity = -0.5;
  EXPECT_EQ(summary_of(set),
            "river is at rank 1 of 3. No set of features was found that keeps its place.");
  // Without an audit the search's own value says so.
  set.audit.validity.reset();
  set.value = 0;
  EXPECT_EQ(summary_of(set),
            "river is at rank 1 of 3. No set of features was found that keeps its place.");
}

TEST(ExplanationSummary, NamesFeaturesWhereThereAreNoAttributions) {
  Explanation set = ExampleQuery::of_ranking();
  set.target = Target::of_document(0);
  EXPECT_EQ(summary_of(set),
            "river is at rank 1 of 3. Its place is explained by bm25_title (7.1) and feature 4 "
            "(missing).");
  set.target = Target::of_pair(0, 2);
  EXPECT_EQ(summary_of(set),
            "river is above hill; this is explained by bm25_title (7.1 against 2.0) and feature 4 "
            "(missing against 2).");
  set.features = {};
  EXPECT_EQ(summary_of(set), "river is above hill; no feature was found that speaks for it.");
  set.target = Target::of_document(0);
  EXPECT_EQ(summary_of(set),
            "river is at rank 1 of 3. No feature was found that explains its place.");
}

TEST(ExplanationSummary, SaysFirstThatItAbstains) {
  Explanation ranking = ExampleQuery::of_ranking();
  ranking.abstains = "its reliability of 0.21 is below 0.50";
  EXPECT_EQ(summary_of(ranking),
            "No conclusion should be drawn: its reliability of 0.21 is below 0.50. What was found "
            "all the same: These 2 features explain most of the order: bm25_title and feature 4.");
}

TEST(Amounts, ShowThreeDigitsOfTheLargest) {
  EXPECT_EQ(Amounts(1234).with_sign(0.4), "0");
  EXPECT_EQ(Amounts(1234).with_sign(12), "+12");
  EXPECT_EQ(Amounts(0.00123).with_sign(0.00123), "+0.00123");
  EXPECT_EQ(Amounts(0.00123).with_sign(-0.000004), "0.00000");
  EXPECT_EQ(Amounts(3e-9).with_sign(-1.5e-9), "-1.50e-09");
  EXPECT_EQ(Amounts(0).plain(0), "0.00");
}

ViewedFeature pair_of(double a, double b) {
  return {.index = 11, .feature = "f", .value = a, .other_value = b};
}

TEST(ExplanationWords, WriteValuesShortButApart) {
  EXPECT_EQ(values_text(pair_of(7.1, 2)), "7.1 against 2.0");
  EXPECT_EQ(values_text(pair_of(2023.1, 2023.4)), "2023.1 against 2023.4");
  EXPECT_EQ(values_text(pair_of(0.00012, 293)), "0.00012 against 293");
  EXPECT_EQ(values_text(pair_of(123456, 12.5)), "123456.0 against 12.5");
  EXPECT_EQ(values_text(pair_of(5, 5)), "5 in both");
  EXPECT_EQ(values_text(pair_of(1.5e10, 3e-8)), "1.5e+10 against 3e-08");
  EXPECT_EQ(value_text(pair_of(0, 0), -0.0), "0");
}

TEST(ExplanationWords, CallFeaturesWithoutNameByNumber) {
  EXPECT_EQ(feature_label({.index = 11, .feature = ""}), "feature 12");
  EXPECT_EQ(feature_label({.index = 11, .feature = "12"}), "feature 12");
  EXPECT_EQ(feature_label({.index = 11, .feature = "12b"}), "12b");
}

TEST(ExplanationWords, ListAndCount) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b"}), "a and b");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(counted(1, "feature"), "1 feature");
  EXPECT_EQ(counted(0, "feature"), "0 features");
  EXPECT_EQ(percent(0.123), "12 %");
  EXPECT_EQ(percent(0.0123), "1.2 %");
  EXPECT_EQ(percent(0.00001), "less than 0.1 %");
  EXPECT_EQ(percent(0), "0 %");
}

TEST(TrustSentences, SayWhatWasMeasured) {
  const ExampleQuery query;
  Explanation explanation = ExampleQuery::of_document();
  EXPECT_TRUE(trust_sentences(query.view(explanation)).empty());
  explanation.standard_errors = {0.05, 0.4, 0, 0.01};
  explanation.audit = {.additivity_residual = 0.12,
                       .error_share = 0.308,
                       .validity = 0.83,
                       .completeness = 0.1,
                       .stability = 0.9,
                       .reliability = 0.69};
  EXPECT_EQ(trust_sentences(query.view(explanation)),
            (std::vector<std::string>{
                "Knowing only the features marked *, the ranker has 92 % of the other documents on "
                "the right side of it (50 % is chance, tau 0.83); knowing all but these, 55 % (tau "
                "0.10).",
                "The parts miss the score by 12 % of the largest part: read them as a tendency.",
                "Standard errors are up to 31 % of the largest part; 1 of 3 parts is less than two "
                "of them away from 0.",
                "Explained again with other seeds, 90 % of the named features are named again.",
                "Reliability 0.69 of 1, set by the weakest of these points."}));
}

TEST(TrustSentences, SayWhatIsExact) {
  const ExampleQuery query;
  Explanation explanation = ExampleQuery::of_pair();
  explanation.audit = {.additivity_residual = 1e-14, .error_share = 0, .reliability = 1};
  EXPECT_EQ(
      trust_sentences(query.view(explanation)),
      (std::vector<std::string>{"The parts add up to the difference exactly.",
                                "Nothing was sampled: the parts have no sampling error.",
                                "Reliability 1.00 of 1, set by the weakest of these points."}));
  explanation.audit.additivity_residual = 0.004;
  EXPECT_EQ(trust_sentences(query.view(explanation))[0],
            "The parts add up to the difference, to 0.4 % of the largest part.");
}

TEST(TrustSentences, SayHowWellSamplingErrorsAreKnown) {
  const ExampleQuery query;
  Explanation explanation = ExampleQuery::of_document();
  explanation.audit = {.additivity_residual = 0};
  EXPECT_EQ(trust_sentences(query.view(explanation)),
            (std::vector<std::string>{"The parts add up to the score exactly.",
                                      "Its parts were sampled, and how far they may be off was not "
                                      "measured: ask with more seeds."}));
  explanation.standard_errors = {0, 0, 0, 0};
  explanation.audit.error_share = 0;
  EXPECT_EQ(trust_sentences(query.view(explanation))[1], "All standard errors are 0.");
  explanation.standard_errors = {0.001, 0, 0, 0.1};
  explanation.audit.error_share = 0.0002;
  EXPECT_EQ(trust_sentences(query.view(explanation))[1],
            "Standard errors are below 0.1 % of the largest part; 1 of 3 parts is less than two of "
            "them away from 0.");
}

TEST(TrustSentences, SayWhoIsAboveWithFewFeatures) {
  const ExampleQuery query;
  Explanation pair = ExampleQuery::of_pair();
  pair.audit = {.validity = 1, .completeness = -1};
  EXPECT_EQ(trust_sentences(query.view(pair))[0],
            "Knowing only the features marked *, river is still above; knowing all but these, sea "
            "is above.");
  pair.audit = {.validity = 0};
  pair.target = Target::of_pair(1, 0);
  EXPECT_EQ(trust_sentences(query.view(pair))[0],
            "Knowing only the features marked *, the two tie.");
  pair.audit = {.validity = 1, .completeness = 1};
  EXPECT_EQ(trust_sentences(query.view(pair))[0],
            "Knowing only the features marked *, river is still above; knowing all but these, "
            "river is still above.");
}

TEST(TrustSentences, SayWhenPartsAreNothing) {
  const ExampleQuery query;
  Explanation explanation = ExampleQuery::of_document();
  const double infinity = std::numeric_limits<double>::infinity();
  explanation.audit = {.additivity_residual = infinity, .error_share = infinity};
  EXPECT_EQ(trust_sentences(query.view(explanation))[0], "The parts are 0 and miss the score.");
  EXPECT_EQ(trust_sentences(query.view(explanation))[1],
            "The parts are 0, but only within their standard errors.");
}

TEST(ExplanationText, IsHeadingSummaryTableAndTrust) {
  const ExampleQuery query;
  Explanation explanation = ExampleQuery::of_pair();
  explanation.audit = {.additivity_residual = 0, .error_share = 0, .reliability = 1};
  // Bars: 20 * 0.5 / 1.3 = 7.7, 20 * 0.2 / 1.3 = 3.1.
  EXPECT_EQ(
      explanation_text(query.view(explanation), {}),
      "query q7, tree-shap\n"
      "   document  rank  score  grade\n"
      "A  river        1   2.31      3\n"
      "B  sea          2   0.71      0\n"
      "\n"
      "river is above sea because bm25_title is 7.1 against 2.0: +1.30 of the +1.60 "
      "difference. Also price\n"
      "is 5.49 against 12.00 (+0.50). On the other side in_stock is on against off "
      "(-0.20).\n"
      "\n"
      "feature          A      B   part  share\n"
      "bm25_title *   7.1    2.0  +1.30   81 %  ++++++++++++++++++++\n"
      "price *       5.49  12.00  +0.50   31 %  ++++++++\n"
      "in_stock        on    off  -0.20  -12 %  ---\n"
      "\n"
      "The parts add up to the difference exactly. Nothing was sampled: the parts have no sampling "
      "error.\nReliability 1.00 of 1, set by the weakest of these points.\n");
}

TEST(ExplanationText, SumsWhatIsNotShownAndShowsErrors) {
  const ExampleQuery query;
  Explanation explanation = ExampleQuery::of_document();
  explanation.standard_errors = {0.05, 0.4, 0, 0.01};
  EXPECT_EQ(explanation_text(query.view(explanation), {.features = 1}),
            "query q7, tree-shap\n"
            "document  rank  score  grade\n"
            "river        1   2.31      3\n"
            "\n"
            "river is at rank 1 of 3. Its score of 2.31 is 1.80 above 0.51, the score with no "
            "feature known:\n"
            "bm25_title is 7.1 (+1.30), price is 5.49 (+0.60) and feature 4 is missing (-0.10).\n"
            "\n"
            "feature           value   part  error  share\n"
            "bm25_title *        7.1  +1.30   0.05   72 %  ++++++++++++++++++++\n"
            "2 other features         +0.50          28 %  ++++++++\n");
}

TEST(ExplanationText, ListsTheFirstDocumentsOfARanking) {
  const ExampleQuery query;
  EXPECT_EQ(explanation_text(query.view(ExampleQuery::of_ranking()), {.documents = 1}),
            "query q7, greedy\n"
            "document  rank  score  grade\n"
            "river        1   2.31      3\n"
            "2 more documents\n"
            "\n"
            "These 2 features explain most of the order: bm25_title and feature 4.\n"
            "\n"
            "feature         values\n"
            "bm25_title *  2 to 7.1\n"
            "feature 4 *     1 to 2\n");
}

TEST(ExplanationText, CutsLongNamesInTablesOnly) {
  const ExampleQuery query;
  ExplanationView view = query.view(ExampleQuery::of_document());
  view.features[0].feature = "\u00e9" + std::string(60, 'x');
  const std::string text = explanation_text(view, {});
  EXPECT_NE(text.find("\n\u00e9" + std::string(38, 'x') + "\u2026 *"), std::string::npos) << text;
}

TEST(Wrapped, BreaksAtSpacesOnly) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("abcdefghij k", 4), "abcdefghij\nk");
  EXPECT_EQ(wrapped("\u00e9\u00e9 \u00e9\u00e9", 5), "\u00e9\u00e9 \u00e9\u00e9");
  EXPECT_EQ(wrapped("", 4), "");
}

}  // namespace
}  // namespace glassrank
