#include "glassrank/objectives/pairwise.h"

#include "glassrank/objectives/lambda_pairs.h"

namespace glassrank {

void Pairwise::gradients(const QueryView& query, ObjectiveScratch& /*scratch*/,
                         GradientView out) const {
  pair_gradients(
      query, rank_order(query.scores),
      {.num_tops = truncation_depth(params_.pair_truncation),
       .sigma = params_.sigma,
       .norm_query = params_.norm},
      [](std::size_t, std::size_t) { return 1.0; }, out);
}

}  // namespace glassrank
