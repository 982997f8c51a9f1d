#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "glassrank/studies/noise_study.h"
#include "glassrank/studies/sampling_study.h"
#include "testing/boosting_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using testing::make_data;
using testing::with_threads;

LambdamartParams small_params() {
  LambdamartParams params;
  params.boosting.num_trees = 12;
  params.boosting.num_leaves = 5;
  params.watch.metric = {"ndcg@5"};
  return params;
}

CleanParams small_cleaning() {
  CleanParams clean{.method = CleanMethod::kSour};
  clean.type = DocumentType::kPos;
  clean.cutoff = 5;
  return clean;
}

struct Parts {
  Dataset train = make_data({.num_queries = 24, .seed = 1});
  Dataset valid = make_data({.num_queries = 8, .seed = 2});
  Dataset test = make_data({.num_queries = 10, .seed = 3});
};

NoiseStudyParams small_study() {
  NoiseStudyParams study;
  study.rates = {0.2};
  study.seeds = 2;
  study.starts = {1, 6};
  study.permutations = 1000;
  return study;
}

TEST(StudyNoise, TrainsEverySystemForEveryRateAndSeed) {
  const Parts parts;
  const NoiseStudy study = study_noise({parts.train, parts.valid, parts.test}, small_params(),
                                       small_cleaning(), small_study(), with_threads(2));
  ASSERT_EQ(study.runs.size(), 2 * 3);
  EXPECT_EQ(study.runs[0].system, "plain");
  EXPECT_EQ(study.runs[1].system, "sour pos from 1");
  EXPECT_EQ(study.runs[2].system, "sour pos from 6");
  EXPECT_EQ(study.runs[0].num_dropped, 0);
  EXPECT_GT(study.runs[0].num_flipped, 0);
  // A window within the other finds at least as much.
  EXPECT_GE(study.runs[2].num_dropped, study.runs[1].num_dropped);
  EXPECT_NE(study.runs[0].values, study.runs[3].values);  // other flips, another model
  EXPECT_EQ(study.summaries.size(), 3);
}

TEST(StudyNoise, DoesNotDependOnThreads) {
  const Parts parts;
  const NoiseData data{parts.train, parts.valid, parts.test};
  const NoiseStudy one =
      study_noise(data, small_params(), small_cleaning(), small_study(), with_threads(1));
  const NoiseStudy four =
      study_noise(data, small_params(), small_cleaning(), small_study(), with_threads(4));
  for (std::size_t r = 0; r < one.runs.size(); ++r) {
    EXPECT_EQ(one.runs[r].values, four.runs[r].values);
    EXPECT_EQ(one.runs[r].num_found, four.runs[r].num_found);
  }
}

TEST(StudyNoise, WantsACleaner) {
  const Parts parts;
  EXPECT_EQ(message_of([&] {
              study_noise({parts.train, parts.valid, parts.test}, small_params(), {}, small_study(),
                          with_threads(1));
            }),
            "the noise study needs a cleaner to compare with: --clean sour");
}

TEST(StudyNoise, TriesStartsOfCleanersThatHaveOneOnly) {
  const Parts parts;
  for (const auto& [method, name] :
       {std::pair(CleanMethod::kLastSour, "last-sour"),
        std::pair(CleanMethod::kIsolationForest, "isolation-forest")}) {
    CleanParams clean = small_cleaning();
    clean.method = method;
    EXPECT_EQ(message_of([&] {
                study_noise({parts.train, parts.valid, parts.test}, small_params(), clean,
                            small_study(), with_threads(1));
              }),
              "starts belongs to sour, p-sour and curr-sour; " + std::string(name) +
                  " has no first round");
  }
}

TEST(StudyNoise, TrainsOnceWhereNothingIsFlipped) {
  const Parts parts;
  NoiseStudyParams study = small_study();
  study.rates = {0};
  study.seeds = 3;
  const NoiseStudy found = study_noise({parts.train, parts.valid, parts.test}, small_params(),
                                       small_cleaning(), study, with_threads(2));
  EXPECT_EQ(found.runs.size(), 3);  // one a system
  EXPECT_TRUE(std::isnan(found.summaries[0].deviation));
}

TEST(SummariseNoise, PoolsSeedsAndTestsAgainstThePlainModel) {
  // Two seeds; 100 rows; each query's mean over seeds: plain 0.2, 0.4, cleaned 0.4, 0.6.
  const std::vector<NoiseRun> runs = {
      {.rate = 0.1, .seed = 0, .system = "plain", .values = {0.1, 0.4}, .mean = 0.25},
      {.rate = 0.1,
       .seed = 0,
       .system = "sour",
       .values = {0.4, 0.6},
       .mean = 0.5,
       .num_flipped = 8,
       .num_eligible = 40,
       .num_dropped = 5,
       .num_found = 3},
      {.rate = 0.1, .seed = 1, .system = "plain", .values = {0.3, 0.4}, .mean = 0.35},
      {.rate = 0.1,
       .seed = 1,
       .system = "sour",
       .values = {0.4, 0.6},
       .mean = 0.5,
       .num_flipped = 12,
       .num_eligible = 60,
       .num_dropped = 5,
       .num_found = 4}};
  const std::vector<NoiseSummary> summaries = summarise_noise(runs, 100, 1000, with_threads(1));
  ASSERT_EQ(summaries.size(), 2);
  EXPECT_DOUBLE_EQ(summaries[0].mean, 0.3);
  EXPECT_NEAR(summaries[0].deviation, std::sqrt(0.005), 1e-12);
  EXPECT_TRUE(std::isnan(summaries[0].precision));
  EXPECT_DOUBLE_EQ(summaries[1].precision, 0.7);
  EXPECT_DOUBLE_EQ(summaries[1].recall, 0.35);
  EXPECT_DOUBLE_EQ(summaries[1].chance, 0.2);
  EXPECT_DOUBLE_EQ(summaries[1].dropped, 0.05);
  EXPECT_DOUBLE_EQ(summaries[1].p.greater, 0.25);  // one of the 4 ways to swap two queries
  EXPECT_DOUBLE_EQ(summaries[1].p.two_sided, 0.5);
}

TEST(StudySampling, SaysWhichShareOfTheRowsTreesSaw) {
  const Parts parts;
  LambdamartParams params = small_params();
  params.patience = 0;
  SamplingStudyParams study;
  study.selective_top = 0.1;
  study.permutations = 1000;
  const SamplingStudy result =
      study_sampling(parts.train, parts.valid, &parts.test, params, study, with_threads(2));
  ASSERT_EQ(result.systems.size(), 3);
  EXPECT_EQ(result.systems[0].system, "full");
  EXPECT_EQ(result.systems[0].share, 1);
  for (const SampledTraining& system : result.systems) {
    EXPECT_EQ(system.num_rounds, 12);
    EXPECT_EQ(system.round_shares.front(), 1);  // the first tree sees everything
    EXPECT_EQ(system.curve.size(), 12);
    EXPECT_GT(system.mean, 0);
  }
  EXPECT_LT(result.systems[1].round_shares.back(), result.systems[2].round_shares.back());
  EXPECT_LT(result.systems[2].round_shares.back(), 1);
}

TEST(StudySampling, TakesTheGivenSamplersRules) {
  const Parts parts;
  LambdamartParams params = small_params();
  params.patience = 0;
  SamplingStudyParams study;
  study.systems = {"selective", "high-low"};
  study.permutations = 1000;
  const auto last_share = [&](const LambdamartParams& each) {
    const SamplingStudy found =
        study_sampling(parts.train, parts.valid, nullptr, each, study, with_threads(2));
    return std::pair(found.systems[0].round_shares, found.systems[1].round_shares);
  };
  const auto plain = last_share(params);
  EXPECT_LT(plain.first[3], 1);
  LambdamartParams seldom = params;
  seldom.sample.every = 5;  // the first sample is drawn after five rounds on everything
  EXPECT_EQ(last_share(seldom).first[3], 1);
  EXPECT_EQ(last_share(seldom).second[3], 1);
  LambdamartParams many = params;
  many.sample.min_negatives = 1000;
  EXPECT_EQ(last_share(many).first.back(), 1);
  LambdamartParams graded = params;
  graded.sample.negative_grade = 2;  // more negatives, so that more rows are left out
  EXPECT_NE(last_share(graded).first.back(), plain.first.back());
}

TEST(StudySampling, KnowsItsSystems) {
  const Parts parts;
  SamplingStudyParams study;
  study.systems = {"full", "selectiv"};
  LambdamartParams params;
  EXPECT_EQ(message_of([&] {
              study_sampling(parts.train, parts.valid, nullptr, params, study, with_threads(1));
            }),
            "unknown system 'selectiv'; did you mean 'selective'?");
}

}  // namespace
}  // namespace glassrank
