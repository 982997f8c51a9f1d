#include "glassrank/boosting/gradients.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkQueries = 32;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// x - x is 0 of a finite number and NaN of any other, and NaN stays in a sum. Eight sums side by
// side, as for the smallest below: compilers make vectors of them.
template <typename T>
bool are_finite(std::span<const T> values) {
  T sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= values.size(); i += 8) {
    for (std::size_t k = 0; k < 8; ++k) sums[k] += values[i + k] - values[i + k];
  }
  for (; i < values.size(); ++i) sums[0] += values[i] - values[i];
  return std::ranges::all_of(sums, [](T sum) { return sum == 0; });
}

bool is_any_negative(std::span<const float> values) {
  float lowest[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= values.size(); i += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      lowest[k] = values[i + k] < lowest[k] ? values[i + k] : lowest[k];
    }
  }
  for (; i < values.size(); ++i) lowest[0] = std::min(lowest[0], values[i]);
  return std::ranges::any_of(lowest, [](float value) { return value < 0; });
}

bool are_sound(std::span<const float> gradient, std::span<const float> hessian) {
  return are_finite(gradient) && are_finite(hessian) && !is_any_negative(hessian);
}

[[noreturn]] void fail_not_finite(const GradientTask& task, std::size_t row, GradientView out) {
  const QueryGroups& queries = task.data.queries();
  const auto after = std::ranges::upper_bound(queries.offsets(), row);
  const auto query = static_cast<std::size_t>(after - queries.offsets().begin()) - 1;
  const std::size_t document = row - queries.rows(query).begin + 1;
  if (!std::isfinite(task.scores[row])) {
    fail(ErrorKind::kInput,
         "round {}: the score of document {} of query {} is {}; scores must be finite: the model "
         "to start from or the learning rate is too large",
         task.round + 1, document, queries.id(query), task.scores[row]);
  }
  fail(ErrorKind::kInput,
       "round {}: document {} of query {} has gradient {} and hessian {} at score {}; they must be "
       "finite, the hessian not negative: scores, weights or sigma are too large",
       task.round + 1, document, queries.id(query), out.gradient[row], out.hessian[row],
       task.scores[row]);
}

void weigh(std::span<const float> weights, RowRange rows, GradientView out) {
  if (weights.empty()) return;
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    out.gradient[r] *= weights[r];
    out.hessian[r] *= weights[r];
  }
}

std::size_t first_infinite(std::span<const double> scores) {
  return static_cast<std::size_t>(
      std::ranges::find_if(scores, [](double s) { return !std::isfinite(s); }) - scores.begin());
}

std::size_t first_unsound(GradientView view) {
  std::size_t i = 0;
  while (i + 1 < view.gradient.size() &&
         are_sound(view.gradient.subspan(i, 1), view.hessian.subspan(i, 1))) {
    ++i;
  }
  return i;
}

// The documents of one query that were selected, packed together.
struct PartOfQuery {
  std::vector<float> grades;
  std::vector<double> scores;
  std::vector<float> gradient;
  std::vector<float> hessian;
};

// Returns the first row with a number that is not finite; none: kNone. So do the others below.
std::size_t gradients_of_part(const GradientTask& task, std::size_t query,
                              std::span<const std::uint32_t> rows, PartOfQuery& part,
                              ObjectiveScratch& scratch, GradientView out) {
  part.grades.resize(rows.size());
  part.scores.resize(rows.size());
  part.gradient.resize(rows.size());
  part.hessian.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    part.grades[i] = task.data.grades()[rows[i]];
    part.scores[i] = task.scores[rows[i]];
  }
  if (!are_finite<double>(part.scores)) return rows[first_infinite(part.scores)];
  task.objective.gradients({.query = query,
                            .round = task.round,
                            .grades = part.grades,
                            .scores = part.scores,
                            .stop = task.stop},
                           scratch, {.gradient = part.gradient, .hessian = part.hessian});
  const std::span<const float> weights = task.data.weights();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float weight = weights.empty() ? 1.0F : weights[rows[i]];
    out.gradient[rows[i]] = part.gradient[i] *= weight;
    out.hessian[rows[i]] = part.hessian[i] *= weight;
  }
  if (are_sound(part.gradient, part.hessian)) return kNone;
  return rows[first_unsound({.gradient = part.gradient, .hessian = part.hessian})];
}

// Queries [begin, end) of the lists that were selected.
std::size_t gradients_of_parts(const GradientTask& task, RowRange chunk, GradientView out) {
  const QueryGroups& queries = task.data.queries();
  const std::span<const std::uint32_t> documents = *task.documents;
  ObjectiveScratch scratch;
  PartOfQuery part;
  auto first = std::ranges::lower_bound(documents, queries.rows(chunk.begin).begin);
  for (std::size_t q = chunk.begin; q < chunk.end; ++q) {
    const RowRange rows = queries.rows(q);
    const auto most =
        std::min<std::ptrdiff_t>(documents.end() - first, static_cast<std::ptrdiff_t>(rows.size()));
    const auto last = std::lower_bound(first, first + most, rows.end);
    if (first != last) {
      const std::size_t bad = gradients_of_part(task, q, {first, last}, part, scratch, out);
      if (bad != kNone) return bad;
    }
    first = last;
  }
  return kNone;
}

std::size_t gradients_of_queries(const GradientTask& task, RowRange chunk, GradientView out) {
  ObjectiveScratch scratch;
  for (std::size_t q = chunk.begin; q < chunk.end; ++q) {
    const RowRange rows = task.data.queries().rows(q);
    const std::span<const double> scores = task.scores.subspan(rows.begin, rows.size());
    if (!are_finite(scores)) return rows.begin + first_infinite(scores);
    const GradientView own{.gradient = out.gradient.subspan(rows.begin, rows.size()),
                           .hessian = out.hessian.subspan(rows.begin, rows.size())};
    task.objective.gradients({.query = q,
                              .round = task.round,
                              .grades = task.data.grades().subspan(rows.begin, rows.size()),
                              .scores = scores,
                              .stop = task.stop},
                             scratch, own);
    weigh(task.data.weights(), rows, out);
    if (!are_sound(own.gradient, own.hessian)) return rows.begin + first_unsound(own);
  }
  return kNone;
}

void compute_own_gradients(
    const GradientTask& task, GradientView out,
    const Context& context) {  // The first one in the data, whichever thread meets one first.
  const std::size_t bad = ordered_reduce(
      context, task.data.num_queries(), kChunkQueries, kNone,
      [&](std::size_t begin, std::size_t end) {
        return task.documents ? gradients_of_parts(task, {begin, end}, out)
                              : gradients_of_queries(task, {begin, end}, out);
      },
      [](std::size_t& first, std::size_t part) { first = std::min(first, part); });
  if (bad != kNone) fail_not_finite(task, bad, out);
}

}  // namespace

void compute_gradients(GradientTask task, GradientView out, const Context& context) {
  // Several machines stop together, between rounds.
  if (context.communicator->is_alone()) task.stop = context.stop;
  agree(context, [&] { compute_own_gradients(task, out, context); });
}

}  // namespace glassrank
