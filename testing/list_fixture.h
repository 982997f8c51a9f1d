#pragma once
// For tests: lists given as plain vectors, and the value of one metric on one list.

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/metrics/evaluate.h"

namespace glassrank {

struct TestList {
  std::vector<double> scores;
  std::vector<float> grades;
  std::vector<float> missed = {};
  std::vector<std::string> ids = {};
  std::vector<char> judged = {};  // empty: all
};

class TestLists final : public ListSource {
 public:
  explicit TestLists(std::vector<TestList> lists) : lists_(std::move(lists)) {}

  std::size_t num_queries() const override { return lists_.size(); }
  RankedList list(std::size_t query, bool with_ids,
                  std::vector<std::string_view>& ids) const override {
    const TestList& list = lists_[query];
    ids.clear();
    if (with_ids) ids.assign(list.ids.begin(), list.ids.end());
    return {.scores = list.scores,
            .grades = list.grades,
            .document_ids = ids,
            .missed_grades = list.missed,
            .judged = list.judged};
  }
  std::string query_name(std::size_t query) const override { return fmt::format("q{}", query); }
  std::string document_name(std::size_t /*query*/, std::size_t slot) const override {
    return fmt::format("d{}", slot);
  }

 private:
  std::vector<TestList> lists_;
};

inline double value_of(const std::string& metric, TestList list,
                       const Convention& convention = {}) {
  const MetricSpec spec = parse_metric(metric);
  return evaluate(TestLists({std::move(list)}), {&spec, 1}, convention, Context{})
      .metrics[0]
      .values[0];
}

// Scores that put the grades in the order in which they are written.
inline TestList in_order(std::vector<float> grades, std::vector<float> missed = {}) {
  TestList list{.scores = {}, .grades = std::move(grades), .missed = std::move(missed)};
  for (std::size_t i = 0; i < list.grades.size(); ++i) {
    list.scores.push_back(-static_cast<double>(i));
  }
  return list;
}

}  // namespace glassrank
