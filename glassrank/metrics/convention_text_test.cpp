#include "glassrank/metrics/convention_text.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/metrics/registry.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

std::string text_of(const Convention& convention, const std::vector<std::string>& metrics) {
  return short_text(convention, parse_metrics(metrics));
}

TEST(ConventionText, SaysWhatConcernsTheMetricsOnly) {
  EXPECT_EQ(text_of({}, {"ndcg@10"}), "NDCG: 2^g - 1, empty query = 1, as LightGBM");
  EXPECT_EQ(text_of({}, {"mrr"}), "relevant: g >= 1");
  EXPECT_EQ(text_of({}, {"err@20"}), "ERR: greatest grade 4");
}

TEST(ConventionText, RefusesChoicesThatNoMetricLooksAt) {
  const auto complaint = [](const char* axis, const char* value,
                            const std::vector<std::string>& metrics) {
    ConventionChoice choice;
    set_param(choice, axis, {value});
    return message_of([&] { refuse_unused(choice, parse_metrics(metrics)); });
  };
  EXPECT_EQ(complaint("max_grade", "3", {"ndcg@10", "map"}),
            "--max-grade belongs to --metric err or pfound; here metric is ndcg@10, map");
  EXPECT_EQ(complaint("gain", "linear", {"err@20"}),
            "--gain belongs to --metric ndcg or dcg; here metric is err@20");
  EXPECT_EQ(complaint("gain", "linear", {}),
            "--gain is for metrics that are computed here; these values are given");
  EXPECT_EQ(complaint("max_grade", "3", {"ndcg@10", "err"}), "no error");
  for (const char* axis : {"empty", "ties", "score_precision"}) {
    const char* value = axis == std::string("empty")  ? "0"
                        : axis == std::string("ties") ? "worst"
                                                      : "float32";
    for (const MetricInfo& info : metric_table()) {
      EXPECT_EQ(complaint(axis, value, {std::string(info.name)}), "no error") << info.name;
    }
  }
}

TEST(ConventionText, NamesThePreset) {
  EXPECT_EQ(text_of(find_convention("trec_eval"), {"ndcg@10", "map"}),
            "NDCG: g, MAP: divided by R, relevant: g >= 1, empty query = 0, ties: by document id, "
            "as trec_eval");
  EXPECT_EQ(text_of(find_convention("sklearn"), {"ndcg"}),
            "NDCG: g, empty query = 0, ties: averaged, as scikit-learn");
}

TEST(ConventionText, NamesNoToolWhereNoneComputesItSo) {
  EXPECT_EQ(text_of({.empty = {.value = 0.5}}, {"ndcg"}), "NDCG: 2^g - 1, empty query = 0.5");
  EXPECT_EQ(text_of({.gain = GainKind::kTable, .gain_table = {0, 1, 5}}, {"dcg@5"}),
            "DCG: gains 0,1,5");
  EXPECT_EQ(text_of({.empty = {.skip = true}}, {"ndcg"}), "NDCG: 2^g - 1, empty queries skipped");
}

TEST(ConventionText, FindsAnotherToolForWhatWasChanged) {
  // XGBoost's ndcg@k-.
  Convention convention;
  convention.empty.value = 0;
  EXPECT_EQ(text_of(convention, {"ndcg@10"}), "NDCG: 2^g - 1, empty query = 0, as RankLib");
}

}  // namespace
}  // namespace glassrank
