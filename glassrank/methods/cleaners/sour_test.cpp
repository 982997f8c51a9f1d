#include "glassrank/methods/cleaners/sour.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/metrics/ranking.h"
#include "testing/boosting_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using testing::with_threads;

// One query of documents a (relevant), b, c (relevant), d under a cutoff of 1. A round is named by
// the document that leads it:
//   a: every relevant document but a would be wrong, but nothing that is not relevant is above;
//   b: b is wrong and so are a and c;   d: d is wrong and so are a and c.
class Story {
 public:
  explicit Story(std::string leaders, std::vector<float> grades = {1, 0, 2, 0})
      : leaders_(std::move(leaders)) {
    DatasetParts parts;
    parts.features = Buffer<float>(grades.size());
    std::fill_n(parts.features.data(), grades.size(), 0.0F);
    parts.queries = QueryGroups({"q"}, std::vector<std::size_t>{grades.size()});
    parts.grades = std::move(grades);
    parts.schema = Schema::of_features({"f"});
    data_ = Dataset(std::move(parts));
    binned_.emplace(bin_dataset(data_, {}, with_threads(1)));
  }

  CleanInput input() {
    return {.values = data_,
            .train = *binned_,
            .cutoff = 1,
            .num_trees = leaders_.size(),
            .train_base = [this](const BaseTask& task) { return play(task); }};
  }

  // Rows dropped as letters.
  std::string dropped(const CleanParams& params) {
    std::string letters;
    for (const DroppedRow& row : clean(input(), params, context_).dropped) {
      letters += static_cast<char>('a' + row.row);
    }
    return letters;
  }

  Cleaning cleaning(const CleanParams& params) { return clean(input(), params, context_); }
  std::vector<Cleaning> grid(const CleanParams& params) {
    return clean_grid(input(), params, context_);
  }

 private:
  BoostingResult play(const BaseTask& task) {
    for (std::size_t round = 0; round < task.num_trees; ++round) {
      if (leaders_[round] == '!') return {.num_rounds = round, .end = BoostingEnd::kInterrupted};
      if (leaders_[round] == '.') return {.num_rounds = round, .end = BoostingEnd::kNoSplitLeft};
      std::vector<std::vector<double>> scores(1, std::vector<double>(data_.num_rows(), 0.0));
      scores[0][static_cast<std::size_t>(leaders_[round] - 'a')] = 1;
      task.observer->after_round({.round = round, .trees = {}, .scores = scores, .metrics = {}});
    }
    return {.num_rounds = task.num_trees};
  }

  std::string leaders_;
  Dataset data_;
  std::optional<BinnedDataset> binned_;
  Context context_ = with_threads(1);
};

CleanParams sour(int start, DocumentType type = DocumentType::kAll) {
  return {.method = CleanMethod::kSour, .type = type, .start = start};
}

TEST(Sour, DropsWhatIsWrongInEveryRoundOfTheWindow) {
  Story story("abbdd");
  EXPECT_EQ(story.dropped(sour(1)), "");    // nothing is wrong in round 1
  EXPECT_EQ(story.dropped(sour(2)), "ac");  // b and d are wrong in turn
  EXPECT_EQ(story.dropped(sour(3)), "ac");
  EXPECT_EQ(story.dropped(sour(4)), "acd");
  EXPECT_EQ(story.dropped(sour(5)), "acd");
  EXPECT_EQ(story.dropped(sour(4, DocumentType::kNeg)), "d");
  EXPECT_EQ(story.dropped(sour(4, DocumentType::kPos)), "ac");
}

TEST(Sour, TheWindowEndsWhereItIsTold) {
  Story story("abbdd");
  CleanParams params = sour(2);
  params.end = 3;  // only three trees are grown
  EXPECT_EQ(story.dropped(params), "abc");
}

TEST(Sour, SaysHowOftenADocumentWasWrongAndWhatItDid) {
  Story story("abbdd");
  const Cleaning cleaning = story.cleaning(sour(4));
  const std::vector<DroppedRow> expected = {{0, 0.8F}, {2, 0.8F}, {3, 0.4F}};  // of 5 rounds
  EXPECT_EQ(cleaning.dropped, expected);
  EXPECT_EQ(cleaning.summary, "sour all, top 1, rounds 4 to 5: 3 of 4 documents (75.00 %) dropped");
  EXPECT_EQ(cleaning.params.end, 5);
  EXPECT_EQ(cleaning.params.cutoff, 1);
}

TEST(Sour, TheTopCanBeOtherThanTheMetricsCutoff) {
  Story story("bb");
  CleanParams params = sour(1);
  params.cutoff = 4;  // the whole list
  EXPECT_EQ(story.dropped(params), "");
}

TEST(PSour, DropsWhatIsWrongInMoreThanAShareOfTheRounds) {
  Story story("abbdd");
  CleanParams params{.method = CleanMethod::kPSour};
  params.p = 0.8;  // a and c: 4 of 5 rounds, not more
  EXPECT_EQ(story.dropped(params), "");
  params.p = 0.79;
  EXPECT_EQ(story.dropped(params), "ac");
  params.p = 0.39;  // d: 2 of 5, and b too
  params.type = DocumentType::kNeg;
  EXPECT_EQ(story.dropped(params), "bd");
}

TEST(PSour, CountsTheRoundsOfTheWindowOnly) {
  Story story("abbdd");
  CleanParams params{.method = CleanMethod::kPSour, .start = 3, .p = 0.5};
  EXPECT_EQ(story.dropped(params), "acd");  // d: 2 of 3
  EXPECT_EQ(
      story.cleaning(params).summary,
      "p-sour all, top 1, more than 0.5 of rounds 3 to 5: 3 of 4 documents (75.00 %) dropped");
}

TEST(CurrSour, DocumentsJoinInStageByStage) {
  Story story("bbdab");
  const Cleaning cleaning = story.cleaning({.method = CleanMethod::kCurrSour, .stages = {2, 3, 4}});
  EXPECT_TRUE(cleaning.dropped.empty());
  ASSERT_EQ(cleaning.stages.size(), 3U);
  EXPECT_EQ(cleaning.stages[0].end, 2U);
  EXPECT_EQ(cleaning.stages[0].left_out, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(cleaning.stages[1].left_out, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(cleaning.stages[2].left_out, std::vector<std::uint32_t>{});
  EXPECT_EQ(cleaning.summary,
            "curr-sour all, from round 1: of 4 documents left out 3 up to tree 2, 2 up to tree 3, "
            "0 up to tree 4");
}

TEST(CurrSour, StagesBelowOneAreSharesOfTheTrees) {
  Story story("bbdab");  // 5 rounds
  const auto ends = [&](std::vector<double> stages) {
    std::vector<std::size_t> trees;
    for (const CleaningStage& stage :
         story.cleaning({.method = CleanMethod::kCurrSour, .stages = std::move(stages)}).stages) {
      trees.push_back(stage.end);
    }
    return trees;
  };
  EXPECT_EQ(ends({0.4, 0.6, 0.8}), (std::vector<std::size_t>{2, 3, 4}));
  EXPECT_EQ(ends({0.4, 3}), (std::vector<std::size_t>{2, 3}));
  // On the same tree as the one before, or on the last: no stage of its own.
  EXPECT_EQ(ends({0.25, 0.3, 0.5, 0.9}), (std::vector<std::size_t>{2, 3}));
}

TEST(Sour, ABaseModelWithNoSplitLeftStaysAsItIs) {
  Story story("abb..");
  EXPECT_EQ(story.dropped(sour(5)), "abc");
  EXPECT_EQ(story.dropped(sour(1)), "");
  Story without_trees("..");
  EXPECT_EQ(without_trees.dropped(sour(1)), "");
  const Cleaning stages = without_trees.cleaning({.method = CleanMethod::kCurrSour, .stages = {1}});
  EXPECT_TRUE(stages.stages.front().left_out.empty());
}

TEST(Sour, TheGridIsNoCleaningAndEveryStartAndType) {
  Story story("abbddbdbdbdbddddddddd");  // 21 rounds
  const CleanParams params{.method = CleanMethod::kSour, .tune = true};
  const std::vector<Cleaning> grid = story.grid(params);
  ASSERT_EQ(grid.size(), 31U);
  EXPECT_EQ(grid.front().summary, "no cleaning");
  EXPECT_TRUE(grid.front().dropped.empty());
  std::vector<int> starts;
  for (std::size_t i = 1; i <= 10; ++i) starts.push_back(grid[i].params.start);
  EXPECT_EQ(starts, (std::vector<int>{1, 2, 4, 6, 8, 10, 12, 14, 16, 18}));
  for (std::size_t i = 1; i < grid.size(); ++i) {  // each is what its parameters give alone
    EXPECT_FALSE(grid[i].params.tune);
    EXPECT_EQ(grid[i].dropped, story.cleaning(grid[i].params).dropped);
  }
}

// (type, start, p) of every cleaning but the first, which is none.
std::vector<std::tuple<DocumentType, int, double>> cells(const std::vector<Cleaning>& grid) {
  std::vector<std::tuple<DocumentType, int, double>> found;
  for (std::size_t i = 1; i < grid.size(); ++i) {
    found.emplace_back(grid[i].params.type, grid[i].params.start, grid[i].params.p);
  }
  return found;
}

TEST(Sour, TheGridKeepsWhatIsGiven) {
  Story story("abbddbdbdbdbddddddddd");
  using enum DocumentType;
  CleanParams params{.method = CleanMethod::kSour, .tune = true};
  set_param(params, "start", {"5"});
  EXPECT_EQ(cells(story.grid(params)), (std::vector<std::tuple<DocumentType, int, double>>{
                                           {kNeg, 5, 0.9}, {kPos, 5, 0.9}, {kAll, 5, 0.9}}));
  set_param(params, "type", {"all"});  // the default, but given
  EXPECT_EQ(cells(story.grid(params)),
            (std::vector<std::tuple<DocumentType, int, double>>{{kAll, 5, 0.9}}));
  params = {.method = CleanMethod::kSour, .type = kPos, .tune = true};
  const auto starts = cells(story.grid(params));
  ASSERT_EQ(starts.size(), 10U);
  for (const auto& [type, start, p] : starts) EXPECT_EQ(type, kPos);
  EXPECT_EQ(std::get<1>(starts.back()), 18);

  params = {.method = CleanMethod::kPSour, .type = kNeg, .start = 3, .tune = true};
  EXPECT_EQ(cells(story.grid(params)).size(), 7U);
  EXPECT_EQ(std::get<1>(cells(story.grid(params)).front()), 3);
  params = {.method = CleanMethod::kPSour, .p = 0.9, .tune = true};
  EXPECT_EQ(cells(story.grid(params)), (std::vector<std::tuple<DocumentType, int, double>>{
                                           {kNeg, 1, 0.9}, {kPos, 1, 0.9}, {kAll, 1, 0.9}}));
}

TEST(PSour, TheGridIsSharesAndTypesAndLeavesOutWhatWouldEmptyTheData) {
  Story story("bdbd");
  const std::vector<Cleaning> grid = story.grid({.method = CleanMethod::kPSour, .tune = true});
  EXPECT_EQ(grid.size(), 1U + 7 * 3);
  Story wrong("bbbbddddd");  // b 4 of 9, d 5 of 9 rounds; a and c always
  for (const Cleaning& cleaning : wrong.grid({.method = CleanMethod::kPSour, .tune = true})) {
    EXPECT_LT(cleaning.dropped.size(), 4U);
  }
}

TEST(Sour, RefusesToEmptyTheData) {
  Story story("bd");
  CleanParams params{.method = CleanMethod::kPSour, .p = 0.4};
  EXPECT_EQ(message_of([&] { story.cleaning(params); }),
            "p-sour would drop all 4 documents of the training data");
}

TEST(CurrSour, RefusesToLeaveOutEverything) {
  Story story("bba", {1, 0});  // b above a: both are wrong
  EXPECT_EQ(
      message_of([&] { story.cleaning({.method = CleanMethod::kCurrSour, .stages = {2, 3}}); }),
      "curr-sour would leave out all 2 documents up to tree 2");
  EXPECT_TRUE(story.cleaning({.method = CleanMethod::kCurrSour, .stages = {3}})
                  .stages.front()
                  .left_out.empty());
}

TEST(Sour, AFractionalGradeEqualToTheLimitIsNotRelevant) {
  // 0.1 as float32 is above 0.1 as double.
  Story story("bb", {1, 0.1F, 2, 0});
  CleanParams params = sour(1, DocumentType::kNeg);
  params.negative_grade = 0.1;
  EXPECT_EQ(story.dropped(params), "b");
}

TEST(Sour, NeedsDocumentsOfBothKindsBeforeItTrains) {
  Story story("!");
  CleanParams params = sour(1);
  params.negative_grade = 2;
  EXPECT_EQ(message_of([&] { story.cleaning(params); }),
            "no document has a grade above clean.negative_grade 2: there is nothing to rank "
            "wrongly");
  params.negative_grade = -1;
  EXPECT_EQ(message_of([&] { story.cleaning(params); }),
            "every document has a grade above clean.negative_grade -1: there is nothing to rank "
            "wrongly");
}

TEST(Sour, SaysWhenItWasStopped) {
  Story story("ab!");
  EXPECT_EQ(message_of([&] { story.cleaning(sour(1)); }),
            "stopped after 2 rounds of the base model of cleaning");
}

TEST(CheckClean, RefusesWhatDoesNotFitTogether) {
  const auto complaint =
      [](const CleanParams& params,
         LearnerSetting setting = {
             .cutoff = 10, .num_trees = 100, .has_valid = true, .stops_early = true}) {
        return message_of([&] { check_clean(params, setting); });
      };
  EXPECT_EQ(complaint({}), "no error");
  EXPECT_EQ(complaint(sour(100)), "no error");
  EXPECT_EQ(complaint({.tune = true}), "clean.tune needs a cleaner, as in --clean sour");
  EXPECT_EQ(complaint(sour(101)), "clean.start 101 is after the last round of the window, 100");
  CleanParams params = sour(31);
  params.end = 30;
  EXPECT_EQ(complaint(params), "clean.start 31 is after the last round of the window, 30");
  params.end = 101;
  EXPECT_EQ(complaint(params), "clean.end 101 is beyond the 100 trees of the model (num_trees)");
  EXPECT_EQ(complaint(sour(1), {.cutoff = 10, .num_trees = 65535}),
            "outliers are followed over 65534 rounds at most; set clean.end, which is num_trees "
            "65535 now");
  EXPECT_EQ(complaint(sour(1), {.cutoff = kNoCutoff, .num_trees = 100}),
            "clean.cutoff is needed: the stop metric has none, and outliers are told by the top");
  params = sour(1);
  params.cutoff = 5;
  EXPECT_EQ(complaint(params, {.cutoff = kNoCutoff, .num_trees = 100}), "no error");
  params.tune = true;
  EXPECT_EQ(complaint(params, {.cutoff = 10, .num_trees = 100}),
            "clean.tune needs validation data to compare by");
  EXPECT_EQ(complaint({.method = CleanMethod::kLastSour}, {.cutoff = 10, .num_trees = 100}),
            "last-sour needs validation data: it goes by the best round on it");
  EXPECT_EQ(complaint({.method = CleanMethod::kLastSour},
                      {.cutoff = 10, .num_trees = 100, .has_valid = true}),
            "last-sour needs patience above 0: it goes by the best round");
}

TEST(CheckClean, RefusesStagesThatDoNotAscendWithinTheForest) {
  const auto complaint = [](std::vector<double> stages, int start = 1, int end = 0) {
    const CleanParams params{
        .method = CleanMethod::kCurrSour, .start = start, .end = end, .stages = std::move(stages)};
    return message_of([&] { check_clean(params, {.cutoff = 10, .num_trees = 100}); });
  };
  EXPECT_EQ(complaint({10, 99}), "no error");
  EXPECT_EQ(complaint({}), "clean.stages: at least one is needed");
  EXPECT_EQ(complaint({10, 10}),
            "clean.stages: 10 after 10; stages are whole numbers, or shares below 1, that ascend");
  EXPECT_EQ(complaint({2.5}),
            "clean.stages: 2.5 after 0; stages are whole numbers, or shares below 1, that ascend");
  EXPECT_EQ(complaint({10, 100}),
            "clean.stages: 100 is not below the 100 trees of the model (num_trees)");
  EXPECT_EQ(complaint({10}, 11), "clean.start 11 is after the first of clean.stages, 10");
  EXPECT_EQ(complaint({10}, 1, 50), "clean.end 50: the windows of curr-sour end at clean.stages");
  EXPECT_EQ(message_of([] {
              check_clean({.method = CleanMethod::kCurrSour, .stages = {1}, .tune = true},
                          {.cutoff = 10, .num_trees = 100, .has_valid = true});
            }),
            "curr-sour has nothing to tune");
}

TEST(CheckClean, RefusesValuesOutOfTheirRanges) {
  const LearnerSetting setting{.cutoff = 10, .num_trees = 100};
  const auto complaint = [&](const CleanParams& params) {
    return message_of([&] { check_clean(params, setting); });
  };
  CleanParams params = sour(1);
  params.p = 1.5;
  EXPECT_EQ(complaint(params), "clean.p = 1.5 is out of range; it must be 0 <= x < 1");
  params = sour(-3);
  EXPECT_EQ(complaint(params), "clean.start = -3 is out of range; it must be 1 <= x <= 65534");
  params = {.method = CleanMethod::kIsolationForest, .num_trees = 0};
  EXPECT_EQ(complaint(params), "clean.num_trees = 0 is out of range; it must be x >= 1");
}

TEST(Cleaners, NameParametersThatThereAre) {
  const std::vector<ParamInfo> infos = list_params(CleanParams{});
  for (const CleanerInfo& info : cleaner_table()) {
    EXPECT_TRUE(info.cleaner().uses("type")) << info.name;
    EXPECT_FALSE(info.cleaner().uses("tune")) << info.name;
    for (const std::string_view name : info.cleaner().params()) {
      EXPECT_NE(std::ranges::find(infos, name, &ParamInfo::name), infos.end()) << name;
    }
    EXPECT_EQ(cleaner_of(info.method), &info.cleaner());
    EXPECT_EQ(name_of(info.method), info.name);
  }
  EXPECT_EQ(cleaner_of(CleanMethod::kNone), nullptr);
}

TEST(CleanParams, RefusesSharesOutsideZeroToOne) {
  CleanParams params;
  EXPECT_NE(message_of([&] { set_param(params, "p", {"1.5"}); }), "no error");
  EXPECT_NE(message_of([&] { set_param(params, "p", {"-0.1"}); }), "no error");
  EXPECT_NE(message_of([&] { set_param(params, "p", {"1"}); }), "no error");  // nothing exceeds it
  EXPECT_NE(message_of([&] { set_param(params, "contamination", {"1"}); }), "no error");
  EXPECT_NE(message_of([&] { set_param(params, "start", {"0"}); }), "no error");
  set_param(params, "method", {"curr-sour"});
  EXPECT_EQ(params.method, CleanMethod::kCurrSour);
}

}  // namespace
}  // namespace glassrank
