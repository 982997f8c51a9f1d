#include "glassrank/objectives/function_objective.h"

#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/objectives/pairwise.h"
#include "testing/objective_fixture.h"

namespace glassrank {
namespace {

using testing::gradients_of;

TEST(FunctionObjective, SeesTheQueryAndItsRound) {
  FunctionObjective objective({.gradients = [](const QueryView& query, GradientView out) {
    for (std::size_t i = 0; i < query.grades.size(); ++i) {
      out.gradient[i] = static_cast<float>(query.scores[i]) - query.grades[i];
      out.hessian[i] = static_cast<float>(10 * query.query + query.round);
    }
  }});
  const std::vector<float> grades = {1, 2};
  const std::vector<double> scores = {0.5, 0.5};
  const auto r =
      gradients_of(objective, {.query = 3, .round = 4, .grades = grades, .scores = scores});
  EXPECT_EQ(r.gradient, (std::vector<float>{-0.5F, -1.5F}));
  EXPECT_EQ(r.hessian, (std::vector<float>{34, 34}));
}

TEST(FunctionObjective, WhatIsNotWrittenIsZero) {
  FunctionObjective objective(
      {.gradients = [](const QueryView&, GradientView out) { out.gradient[1] = 1; }});
  const auto r = gradients_of(objective, {1, 2}, {0, 0});
  EXPECT_EQ(r.gradient, (std::vector<float>{0, 1}));
  EXPECT_EQ(r.hessian, (std::vector<float>{0, 0}));
}

TEST(FunctionObjective, PreparesAndStartsFromItsOwnScore) {
  double largest = 0;
  FunctionObjective objective({.gradients = [](const QueryView&, GradientView) {},
                               .prepare =
                                   [&](const ObjectiveData& data) {
                                     largest =
                                         *std::max_element(data.grades.begin(), data.grades.end());
                                   },
                               .initial_score = [&] { return largest / 2; }});
  gradients_of(objective, {1, 5, 2}, {0, 0, 0});
  EXPECT_EQ(objective.initial_score(), 2.5);
  EXPECT_EQ(FunctionObjective({.gradients = [](const QueryView&, GradientView) {}}).initial_score(),
            0);
}

std::string message(const std::function<void()>& act, ErrorKind kind) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "no error";
}

TEST(FunctionObjective, RefusesWhatBoostingCannotUse) {
  EXPECT_EQ(message([] { FunctionObjective({}); }, ErrorKind::kUsage),
            "the objective has no gradients function");
  const auto with = [](float gradient, float hessian) {
    return [=] {
      FunctionObjective objective({.gradients = [=](const QueryView&, GradientView out) {
        out.gradient[1] = gradient;
        out.hessian[1] = hessian;
      }});
      gradients_of(objective, {1, 2}, {0, 0});
    };
  };
  EXPECT_EQ(
      message(with(0, -1), ErrorKind::kInput),
      "the objective gave gradient 0 and hessian -1 for document 2 of query number 1 in round "
      "1; both must be finite and the hessian not negative");
  EXPECT_NE(message(with(NAN, 1), ErrorKind::kInput), "no error");
  EXPECT_NE(message(with(1, std::numeric_limits<float>::infinity()), ErrorKind::kInput),
            "no error");
  EXPECT_EQ(message(
                [] {
                  FunctionObjective({.gradients = [](const QueryView&, GradientView) {},
                                     .initial_score = [] { return HUGE_VAL; }})
                      .initial_score();
                },
                ErrorKind::kInput),
            "the objective's initial score is inf; it must be finite");
}

}  // namespace
}  // namespace glassrank
