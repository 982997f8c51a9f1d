#include "glassrank/explain/audit/preservation.h"

#include <vector>

#include "glassrank/explain/audit/set_masks.h"

namespace glassrank {

Preservation measure_preservation(const Perturbation& perturbation, std::span<const double> scores,
                                  std::span<const std::uint32_t> features, Tau tau,
                                  const Context& context) {
  const std::size_t num_features = perturbation.num_features();
  const std::size_t num_documents = perturbation.num_documents();
  const std::size_t num_references = perturbation.num_references();
  const std::vector<std::uint32_t> set(features.begin(), features.end());
  const std::vector<std::uint8_t> masks = set_masks({&set, 1}, num_features);
  std::vector<double> masked(2 * num_references * num_documents);
  perturbation.scores({masks.data(), 2, num_features}, masked, context);
  const auto mean_agreement = [&](std::size_t mask) {
    double sum = 0;
    for (std::size_t b = 0; b < num_references; ++b) {
      const std::size_t begin = (mask * num_references + b) * num_documents;
      sum += rank_agreement(scores, std::span(masked).subspan(begin, num_documents), tau);
    }
    return sum / static_cast<double>(num_references);
  };
  return {.preservation = mean_agreement(0), .deletion = mean_agreement(1)};
}

}  // namespace glassrank
