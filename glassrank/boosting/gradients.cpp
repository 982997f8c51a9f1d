#include "glassrank/boosting/gradients.h"

#include <algorithm>
#include <vector>

#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkQueries = 32;

void weigh(std::span<const float> weights, RowRange rows, GradientView out) {
  if (weights.empty()) return;
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    out.gradient[r] *= weights[r];
    out.hessian[r] *= weights[r];
  }
}

// The documents of one query that were selected, packed together.
struct PartOfQuery {
  std::vector<float> grades;
  std::vector<double> scores;
  std::vector<float> gradient;
  std::vector<float> hessian;
};

void gradients_of_part(const GradientTask& task, std::size_t query,
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
  task.objective.gradients(
      {.query = query, .round = task.round, .grades = part.grades, .scores = part.scores}, scratch,
      {.gradient = part.gradient, .hessian = part.hessian});
  const std::span<const float> weights = task.data.weights();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float weight = weights.empty() ? 1.0F : weights[rows[i]];
    out.gradient[rows[i]] = part.gradient[i] * weight;
    out.hessian[rows[i]] = part.hessian[i] * weight;
  }
}

// Queries [begin, end) of the lists that were selected.
void gradients_of_parts(const GradientTask& task, RowRange chunk, GradientView out) {
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
    if (first != last) gradients_of_part(task, q, {first, last}, part, scratch, out);
    first = last;
  }
}

void gradients_of_queries(const GradientTask& task, RowRange chunk, GradientView out) {
  ObjectiveScratch scratch;
  for (std::size_t q = chunk.begin; q < chunk.end; ++q) {
    const RowRange rows = task.data.queries().rows(q);
    task.objective.gradients({.query = q,
                              .round = task.round,
                              .grades = task.data.grades().subspan(rows.begin, rows.size()),
                              .scores = task.scores.subspan(rows.begin, rows.size())},
                             scratch,
                             {.gradient = out.gradient.subspan(rows.begin, rows.size()),
                              .hessian = out.hessian.subspan(rows.begin, rows.size())});
    weigh(task.data.weights(), rows, out);
  }
}

}  // namespace

void compute_gradients(const GradientTask& task, GradientView out, const Context& context) {
  parallel_for(context, task.data.num_queries(), kChunkQueries,
               [&](std::size_t begin, std::size_t end) {
                 if (task.documents) {
                   gradients_of_parts(task, {begin, end}, out);
                 } else {
                   gradients_of_queries(task, {begin, end}, out);
                 }
               });
}

}  // namespace glassrank
