#include "glassrank/objectives/registry.h"

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/objectives/pairwise.h"
#include "glassrank/objectives/rank_xendcg.h"
#include "testing/objective_fixture.h"

namespace glassrank {
namespace {

using testing::gradients_of;

TEST(ObjectiveRegistry, MakesEveryObjectiveItLists) {
  const auto q = testing::random_query(1, 20, 2);  // grades 0 and 1 suit all
  for (const ObjectiveInfo& info : objective_table()) {
    const auto objective = make_objective({.objective = std::string(info.name)}, 1);
    const auto r = gradients_of(*objective, q.grades, q.scores);
    for (std::size_t i = 0; i < q.grades.size(); ++i) {
      // Every document has a pair or an error of its own here.
      EXPECT_GT(r.hessian[i], 0) << info.name;
    }
    EXPECT_FALSE(info.doc.empty());
  }
}

TEST(ObjectiveRegistry, HandsParametersAndSeedOn) {
  const auto q = testing::random_query(2, 20);
  const ObjectiveParams params{.objective = "pairwise",
                               .lambdarank = {.norm = false, .pair_truncation = 4, .sigma = 2}};
  Pairwise pairwise({.norm = false, .pair_truncation = 4, .sigma = 2});
  EXPECT_EQ(gradients_of(*make_objective(params, 0), q.grades, q.scores),
            gradients_of(pairwise, q.grades, q.scores));
  RankXendcg xendcg(9);
  EXPECT_EQ(gradients_of(*make_objective({.objective = "rank_xendcg"}, 9), q.grades, q.scores),
            gradients_of(xendcg, q.grades, q.scores));
  Peer peer({.alpha = 0.5}, {.norm = false}, 9);
  EXPECT_EQ(
      gradients_of(
          *make_objective(
              {.objective = "peer", .lambdarank = {.norm = false}, .peer = {.alpha = 0.5}}, 9),
          q.grades, q.scores),
      gradients_of(peer, q.grades, q.scores));
  Lambdarank lambdarank({.target = "err"});
  EXPECT_EQ(gradients_of(*make_objective({.lambdarank = {.target = "err"}}, 9), q.grades, q.scores),
            gradients_of(lambdarank, q.grades, q.scores));
}

TEST(ObjectiveRegistry, SuggestsTheNearestName) {
  try {
    make_objective({.objective = "lamdarank"}, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_STREQ(error.what(), "unknown objective 'lamdarank'; did you mean 'lambdarank'?");
  }
}

TEST(ObjectiveRegistry, ChecksParametersAndListsItsNames) {
  try {
    make_objective({.lambdarank = {.pair_truncation = -1}}, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "pair_truncation = -1 is out of range; it must be x >= 0");
  }
  EXPECT_EQ(list_params(ObjectiveParams{}).front().choices, names_in(objective_table()));
}

TEST(ObjectiveRegistry, ParametersKeepTheirFlatNames) {
  ObjectiveParams params;
  set_param(params, "objective", {"pairwise"});
  set_param(params, "norm", {"false"});
  set_param(params, "pair_truncation", {"7"});
  set_param(params, "ideal_truncation", {"8"});
  set_param(params, "sigma", {"2"});
  set_param(params, "target", {"map"});
  set_param(params, "peer_alpha", {"0.25"});
  EXPECT_EQ(params.objective, "pairwise");
  EXPECT_FALSE(params.lambdarank.norm);
  EXPECT_EQ(params.lambdarank.pair_truncation, 7);
  EXPECT_EQ(params.lambdarank.ideal_truncation, 8);
  EXPECT_EQ(params.lambdarank.sigma, 2);
  EXPECT_EQ(params.lambdarank.target, "map");
  EXPECT_EQ(params.peer.alpha, 0.25);
}

}  // namespace
}  // namespace glassrank
