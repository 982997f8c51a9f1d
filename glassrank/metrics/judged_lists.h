#pragma once
// A TREC run with its judgements as lists to evaluate (see evaluate.h). Unjudged documents have
// grade 0; judged ones that were not retrieved count in ideals and in R, as in trec_eval.

#include <string>
#include <vector>

#include "glassrank/data/judged_run.h"
#include "glassrank/metrics/evaluate.h"

namespace glassrank {

// The run must outlive it.
class JudgedLists final : public ListSource {
 public:
  explicit JudgedLists(const JudgedRun& run);

  std::size_t num_queries() const override { return run_.queries.size(); }
  RankedList list(std::size_t query, bool with_ids,
                  std::vector<std::string_view>& ids) const override;
  std::string query_name(std::size_t query) const override;
  std::string document_name(std::size_t query, std::size_t slot) const override;

 private:
  // Grades as metrics take them.
  struct Grades {
    std::vector<float> listed;
    std::vector<float> missed;
    std::vector<char> judged;
  };
  const JudgedRun& run_;
  std::vector<Grades> grades_;
};

}  // namespace glassrank
