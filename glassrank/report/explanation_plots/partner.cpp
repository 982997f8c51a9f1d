#include "glassrank/report/explanation_plots/partner.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace glassrank {
namespace {

constexpr std::size_t kLeastDocuments = 20;
constexpr std::size_t kLeastRun = 10;

// Missing values count as 0, as in shap; 0 when either does not vary.
double correlation(const AttributionTable& table, std::span<const std::size_t> documents,
                   std::size_t feature, std::size_t other) {
  const auto n = static_cast<double>(documents.size());
  const auto value = [&](std::size_t d) {
    const double v = table.value(d, other);
    return std::isnan(v) ? 0.0 : v;
  };
  double mean_x = 0;
  double mean_y = 0;
  for (const std::size_t d : documents) {
    mean_x += value(d) / n;
    mean_y += table.attribution(d, feature) / n;
  }
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (const std::size_t d : documents) {
    const double x = value(d) - mean_x;
    const double y = table.attribution(d, feature) - mean_y;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

}  // namespace

std::optional<std::size_t> likely_partner(const AttributionTable& table, std::size_t feature) {
  std::vector<std::size_t> documents;
  for (std::size_t d = 0; d < table.num_documents(); ++d) {
    if (!std::isnan(table.value(d, feature))) documents.push_back(d);
  }
  if (documents.size() < kLeastDocuments) return std::nullopt;
  std::ranges::stable_sort(documents, {}, [&](std::size_t d) { return table.value(d, feature); });
  const std::size_t run = std::max(kLeastRun, documents.size() / 10);
  std::optional<std::size_t> best;
  double most = 1e-9;
  for (std::size_t other = 0; other < table.num_features(); ++other) {
    if (other == feature) continue;
    double sum = 0;
    for (std::size_t begin = 0; begin + run <= documents.size(); begin += run) {
      sum += std::abs(correlation(table, std::span(documents).subspan(begin, run), feature, other));
    }
    if (sum <= most) continue;
    most = sum;
    best = other;
  }
  return best;
}

}  // namespace glassrank
