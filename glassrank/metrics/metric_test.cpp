#include "glassrank/metrics/metric.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/base/error.h"
#include "glassrank/metrics/registry.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

std::string canonical(std::string_view text) { return to_text(parse_metric(text)); }

TEST(MetricGrammar, ReadsNamesParametersAndCutoffs) {
  EXPECT_EQ(parse_metric("ndcg@10"), (MetricSpec{"ndcg", {}, 10}));
  EXPECT_EQ(parse_metric("p(rel=2)@5"), (MetricSpec{"p", {{"rel", 2}}, 5}));
  EXPECT_EQ(parse_metric("rbp(p=0.8)"), (MetricSpec{"rbp", {{"p", 0.8}}, kNoCutoff}));
  EXPECT_EQ(parse_metric("pfound(break=0.1,max=3)").params,
            (std::vector<std::pair<std::string, double>>{{"max", 3}, {"break", 0.1}}));
}

TEST(MetricGrammar, PrintsTheCanonicalForm) {
  EXPECT_EQ(canonical("nDCG@010"), "ndcg@10");
  EXPECT_EQ(canonical("AP"), "map");
  EXPECT_EQ(canonical("rr@3"), "mrr@3");
  EXPECT_EQ(canonical("Recall(rel=2.0)@100"), "r(rel=2)@100");
  EXPECT_EQ(canonical("tau"), "kendall");
}

TEST(MetricGrammar, ReadsTheNamesOfTrecEval) {
  EXPECT_EQ(canonical("ndcg_cut_10"), "ndcg@10");
  EXPECT_EQ(canonical("P_5"), "p@5");
  EXPECT_EQ(canonical("recall_100"), "r@100");
  EXPECT_EQ(canonical("map_cut_20"), "map@20");
  EXPECT_EQ(canonical("success_1"), "success@1");
  EXPECT_EQ(canonical("recip_rank"), "mrr");
  EXPECT_EQ(canonical("Rprec"), "rprec");
  EXPECT_EQ(canonical("bpref"), "bpref");
  EXPECT_EQ(message_of([] { parse_metric("P_x"); }).substr(0, 20), "unknown metric 'P_x'");
}

TEST(MetricGrammar, RoundTripsEveryMetricWithAnyParameters) {
  EXPECT_TRUE(rc::check("to_text and parse_metric are inverse", [] {
    const auto& table = metric_table();
    const auto& info = table[*rc::gen::inRange<std::size_t>(0, table.size())];
    MetricSpec spec{.name = std::string(info.name), .params = {}, .cutoff = kNoCutoff};
    for (const MetricParam& param : info.params) {
      if (!*rc::gen::arbitrary<bool>()) continue;
      spec.params.emplace_back(param.name, *rc::gen::inRange(1, 1000) / 1001.0);
    }
    if (info.has_cutoff && *rc::gen::arbitrary<bool>()) {
      spec.cutoff = *rc::gen::inRange<std::size_t>(1, 1000000);
    }
    RC_ASSERT(parse_metric(to_text(spec)) == spec);
  }));
}

TEST(MetricGrammar, SaysWhatIsWrong) {
  const auto error = [](std::string_view text) { return message_of([&] { parse_metric(text); }); };
  EXPECT_EQ(error("ndgc@10"), "unknown metric 'ndgc'; did you mean 'ndcg'?");
  EXPECT_EQ(error("ndcg@0"),
            "metric 'ndcg@0': the cutoff '0' must be a whole number of at least 1");
  EXPECT_EQ(error("ndcg@10@5"), "metric 'ndcg@10@5': two cutoffs; a metric has one, as in ndcg@10");
  EXPECT_EQ(error("p(rel=2)@10@5"),
            "metric 'p(rel=2)@10@5': two cutoffs; a metric has one, as in ndcg@10");
  EXPECT_EQ(error("ndcg@"), "metric 'ndcg@': the cutoff '' must be a whole number of at least 1");
  EXPECT_EQ(error("ndcg@ten"),
            "metric 'ndcg@ten': the cutoff 'ten' must be a whole number of at least 1");
  EXPECT_EQ(error("auc@10"), "metric 'auc@10': auc has no cutoff; write auc");
  EXPECT_EQ(error("ndcg(rel=2)@10"), "metric 'ndcg(rel=2)@10': ndcg has no parameters");
  EXPECT_EQ(error("p(rle=2)"), "metric 'p(rle=2)': unknown parameter 'rle'; did you mean 'rel'?");
  EXPECT_EQ(error("p(rel)"), "metric 'p(rel)': 'rel' must be rel=NUMBER");
  EXPECT_EQ(error("p(rel=x)"), "metric 'p(rel=x)': 'rel=x' must be rel=NUMBER");
  EXPECT_EQ(error("p(rel=1,rel=2)"), "metric 'p(rel=1,rel=2)': rel is given twice");
  EXPECT_EQ(error("p(rel=2"),
            "metric 'p(rel=2': '(' without ')' before the cutoff; write p(rel=2)@5");
  EXPECT_EQ(error("rbp(p=1)"), "metric 'rbp(p=1)': p = 1 is out of range; it must be 0 < x < 1");
  EXPECT_EQ(error("err(max=nan)"),
            "metric 'err(max=nan)': max = nan is out of range; it must be x >= 0");
}

TEST(MetricTable, HasUniqueNamesAndADocForEach) {
  std::vector<std::string> names;
  for (const MetricInfo& info : metric_table()) {
    names.emplace_back(info.name);
    for (const auto alias : info.aliases) names.emplace_back(alias);
    EXPECT_FALSE(info.doc.empty());
    EXPECT_NE(make_metric(parse_metric(info.name), Convention{}), nullptr);
  }
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

}  // namespace
}  // namespace glassrank
