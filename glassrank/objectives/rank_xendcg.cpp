#include "glassrank/objectives/rank_xendcg.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "glassrank/base/agree.h"
#include "glassrank/base/elementary.h"
#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/data/shard.h"

namespace glassrank {
namespace {

// A list of any length of 2^1000 has a finite sum.
constexpr float kLargestGrade = 1000;
// 1 - rho is kept above this (LightGBM's epsilon).
constexpr double kSmallest = 1e-15;

std::size_t highest(std::span<const double> scores) {
  return static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
}

// Sums over all documents but one, without the loss of digits that total - own would have for the
// document that dominates the total.
class SumOfOthers {
 public:
  SumOfOthers(std::span<const double> values, std::size_t top)
      : top_(top), top_value_(values[top]) {
    for (std::size_t i = 0; i < values.size(); ++i) rest_ += i == top ? 0 : values[i];
  }
  double without(std::size_t i, double own) const {
    return i == top_ ? rest_ : rest_ - own + top_value_;
  }

 private:
  std::size_t top_;
  double top_value_;
  double rest_ = 0;
};

// rho and 1 - rho.
struct Softmax {
  std::vector<double> chance;
  std::vector<double> others;
};

Softmax softmax(std::span<const double> scores, std::size_t top) {
  const std::size_t n = scores.size();
  Softmax result{.chance = std::vector<double>(n), .others = std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) result.chance[i] = portable_exp(scores[i] - scores[top]);
  const SumOfOthers sums(result.chance, top);
  const double total = sums.without(top, 1) + 1;
  for (std::size_t i = 0; i < n; ++i) {
    result.others[i] = std::max(kSmallest, sums.without(i, result.chance[i]) / total);
  }
  for (double& chance : result.chance) chance /= total;
  return result;
}

// What the ground truth would like the softmax to be.
std::vector<double> wanted_chances(std::uint64_t seed, const QueryView& query) {
  std::vector<double> wanted(query.grades.size());
  double total = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = portable_exp2(static_cast<double>(query.grades[i])) - xendcg_gamma(seed, query, i);
    total += wanted[i];
  }
  for (double& chance : wanted) chance /= std::max(kSmallest, total);
  return wanted;
}

}  // namespace

double xendcg_gamma(std::uint64_t seed, const QueryView& query, std::size_t document) {
  const CounterRandom random(seed, "rank_xendcg", query.query);
  return random.uniform((static_cast<std::uint64_t>(query.round) << 32) | document);
}

void RankXendcg::prepare(const ObjectiveData& data) {
  agree(data.communicator, [&] {
    for (std::size_t q = 0; q < data.queries.num_queries(); ++q) {
      const RowRange rows = data.queries.rows(q);
      for (const float grade : data.grades.subspan(rows.begin, rows.size())) {
        if (grade <= kLargestGrade) continue;
        fail(ErrorKind::kInput, "query {}: grade {} is too large for rank_xendcg's 2^grade",
             data.queries.id(q), grade);
      }
    }
  });
  first_query_ = shard_of(data.queries, data.communicator).first_query;
}

void RankXendcg::gradients(const QueryView& query, ObjectiveScratch& /*scratch*/,
                           GradientView out) const {
  const std::size_t n = query.grades.size();
  if (n < 2) {
    std::ranges::fill(out.gradient, 0.0F);
    std::ranges::fill(out.hessian, 0.0F);
    return;
  }
  const std::size_t top = highest(query.scores);
  const Softmax rho = softmax(query.scores, top);
  QueryView among_all = query;
  among_all.query += first_query_;
  std::vector<double> term = wanted_chances(seed_, among_all);
  for (std::size_t i = 0; i < n; ++i) term[i] = rho.chance[i] - term[i];
  std::vector<double> gradient = term;
  for (int order = 2; order <= 3; ++order) {
    // term = R D^-1 term
    for (std::size_t i = 0; i < n; ++i) term[i] /= rho.others[i];
    const SumOfOthers sums(term, top);
    for (std::size_t i = 0; i < n; ++i) {
      term[i] = rho.chance[i] * sums.without(i, term[i]);
      gradient[i] += term[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    out.gradient[i] = static_cast<float>(gradient[i]);
    out.hessian[i] = static_cast<float>(rho.chance[i] * rho.others[i]);
  }
}

}  // namespace glassrank
