#include "glassrank/methods/training/round_metrics.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/metrics/repeated_evaluation.h"

namespace glassrank {
namespace {

// The metrics of one set, round after round. It keeps the data that it was made for.
struct SetMetrics {
  std::optional<BinnedDataset> data;
  std::optional<RepeatedEvaluation> evaluation;
  std::vector<double> means;

  bool is_for(const BinnedDataset& other) const {
    return data && data->grades().data() == other.grades().data() &&
           &data->queries() == &other.queries();
  }
};

}  // namespace

std::vector<RoundMetric> round_metrics(const std::string& set_name, std::size_t set,
                                       std::span<const MetricSpec> specs,
                                       const Convention& convention) {
  const std::vector<MetricSpec> all(specs.begin(), specs.end());
  const auto shared = std::make_shared<SetMetrics>();
  std::vector<RoundMetric> metrics;
  for (std::size_t m = 0; m < all.size(); ++m) {
    const auto value = [all, shared, m, convention](const BinnedDataset& data,
                                                    std::span<const double> scores,
                                                    const Context& context) {
      if (m > 0) return shared->means[m];
      if (!shared->is_for(data)) {
        shared->data = data;
        agree(context, [&] {
          shared->evaluation.emplace(shared->data->grades(), shared->data->queries(), all,
                                     convention);
        });
      }
      shared->means = shared->evaluation->means(scores, context);
      return shared->means.front();
    };
    metrics.push_back(
        {.name = fmt::format("{} {}", set_name, to_text(all[m])), .set = set, .function = value});
  }
  return metrics;
}

}  // namespace glassrank
