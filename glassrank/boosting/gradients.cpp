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

void gradients_of_part(const GradientQuestion& question, std::size_t query,
                       std::span<const std::uint32_t> rows, PartOfQuery& part,
                       ObjectiveScratch& scratch, GradientView out) {
  part.grades.resize(rows.size());
  part.scores.resize(rows.size());
  part.gradient.resize(rows.size());
  part.hessian.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    part.grades[i] = question.data.grades()[rows[i]];
    part.scores[i] = question.scores[rows[i]];
  }
  question.objective.gradients(
      {.query = query, .round = question.round, .grades = part.grades, .scores = part.scores},
      scratch, {.gradient = part.gradient, .hessian = part.hessian});
  const std::span<const float> weights = question.data.weights();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float weight = weights.empty() ? 1.0F : weights[rows[i]];
    out.gradient[rows[i]] = part.gradient[i] * weight;
    out.hessian[rows[i]] = part.hessian[i] * weight;
  }
}

// Queries [begin, end) of the lists that were selected.
void gradients_of_parts(const GradientQuestion& question, RowRange chunk, GradientView out) {
  const QueryGroups& queries = question.data.queries();
  const std::span<const std::uint32_t> documents = *question.documents;
  ObjectiveScratch scratch;
  PartOfQuery part;
  auto first = std::ranges::lower_bound(documents, queries.rows(chunk.begin).begin);
  for (std::size_t q = chunk.begin; q < chunk.end; ++q) {
    const RowRange rows = queries.rows(q);
    const auto most =
        std::min<std::ptrdiff_t>(documents.end() - first, static_cast<std::ptrdiff_t>(rows.size()));
    const auto last = std::lower_bound(first, first + most, rows.end);
    if (first != last) gradients_of_part(question, q, {first, last}, part, scratch, out);
    first = last;
  }
}

void gradients_of_queries(const GradientQuestion& question, RowRange chunk, GradientView out) {
  ObjectiveScratch scratch;
  for (std::size_t q = chunk.begin; q < chunk.end; ++q) {
    const RowRange rows = question.data.queries().rows(q);
    question.objective.gradients({.query = q,
                                  .round = question.round,
                                  .grades = question.data.grades().subspan(rows.begin, rows.size()),
                                  .scores = question.scores.subspan(rows.begin, rows.size())},
                                 scratch,
                                 {.gradient = out.gradient.subspan(rows.begin, rows.size()),
                                  .hessian = out.hessian.subspan(rows.begin, rows.size())});
    weigh(question.data.weights(), rows, out);
  }
}

}  // namespace

void compute_gradients(const GradientQuestion& question, GradientView out, const Context& context) {
  parallel_for(context, question.data.num_queries(), kChunkQueries,
               [&](std::size_t begin, std::size_t end) {
                 if (question.documents) {
                   gradients_of_parts(question, {begin, end}, out);
                 } else {
                   gradients_of_queries(question, {begin, end}, out);
                 }
               });
}

}  // namespace glassrank
