#include "glassrank/explain/target_choice.h"

#include <gtest/gtest.h>

#include "testing/explanation_fixture.h"
#include "testing/message_of.h"
#include "testing/study_fixture.h"

namespace glassrank {
namespace {

using testing::ExampleQuery;

Dataset three_queries() {
  return testing::documents_of({1, 1, 1}, {0, 0, 0}, {{1}, {2}, {3}});  // q0, q1, q2
}

Target target_of(const TargetChoice& choice,
                 std::vector<std::string> documents = {"river", "sea", "2"}) {
  const ExampleQuery query;
  return chosen_targets(choice, query.query(), documents).front();
}

TEST(ChosenQueries, AreTheFirstTheNamedOrSeveral) {
  const Dataset data = three_queries();
  EXPECT_EQ(chosen_queries({}, data), (std::vector<std::size_t>{0}));
  EXPECT_EQ(chosen_queries({.query = "q2"}, data), (std::vector<std::size_t>{2}));
  EXPECT_EQ(chosen_queries({.queries = "2"}, data), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(chosen_queries({.queries = "9"}, data), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(chosen_queries({.queries = "all"}, data), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(ChosenQueries, SayWhatIsWrong) {
  const Dataset data = three_queries();
  EXPECT_EQ(message_of([&] { chosen_queries({.query = "qq2"}, data); }),
            "there is no query 'qq2' in the data; did you mean 'q2'?");
  EXPECT_EQ(message_of([&] { chosen_queries({.query = "physics"}, data); }),
            "there is no query 'physics' in the data");
  EXPECT_EQ(message_of([&] { chosen_queries({.queries = "0"}, data); }),
            "--queries '0' must be all or a number from 1 on");
  EXPECT_EQ(message_of([&] { chosen_queries({.query = "q1", .queries = "2"}, data); }),
            "--query and --queries exclude each other");
  EXPECT_EQ(message_of([&] { chosen_queries({}, Dataset()); }),
            "the data has no queries to explain");
}

TEST(ChosenTarget, IsARankingADocumentOrAPair) {
  EXPECT_EQ(target_of({}), Target::of_ranking());
  EXPECT_EQ(target_of({.document = "sea"}), Target::of_document(1));
  EXPECT_EQ(target_of({.document = "1"}), Target::of_document(0));
  EXPECT_EQ(target_of({.document = "rank:3"}), Target::of_document(2));
  EXPECT_EQ(target_of({.pair = {"sea", "rank:1"}}), Target::of_pair(1, 0));
}

TEST(ChosenTarget, TakesANameBeforeAPlace) {
  EXPECT_EQ(target_of({.document = "2"}), Target::of_document(2));
}

TEST(ChosenTarget, SaysWhatIsWrong) {
  EXPECT_EQ(message_of([&] { target_of({.document = "rivre"}); }),
            "query q7 has no document 'rivre'; did you mean 'river'?");
  EXPECT_EQ(message_of([&] { target_of({.document = "mountain"}); }),
            "query q7 has no document 'mountain'; say its name, its place in the data (1 to 3) or "
            "its rank (rank:1)");
  EXPECT_EQ(message_of([&] { target_of({.document = "9"}); }),
            "query q7 has 3 documents; there is no document '9'");
  EXPECT_EQ(message_of([&] { target_of({.document = "rank:first"}); }),
            "query q7 has 3 documents; there is no document 'rank:first'");
  const TargetChoice one{.pair = {"a"}};
  EXPECT_EQ(message_of([&] { one.check(); }), "--pair takes two documents, A,B; these are 1");
  const TargetChoice both{.document = "a", .pair = {"a", "b"}};
  EXPECT_EQ(message_of([&] { both.check(); }), "--document and --pair exclude each other");
}

}  // namespace
}  // namespace glassrank
