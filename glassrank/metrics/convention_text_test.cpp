#include "glassrank/metrics/convention_text.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

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
