#include "glassrank/methods/rankboost/rankboost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/bin_edges.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostThresholds = std::numeric_limits<std::uint16_t>::max();

// Sums of one grade over the documents of a query.
struct GradeSums {
  double up = 0;    // of root weight * exp(vote)
  double down = 0;  // of root weight * exp(-vote)
};

}  // namespace

void add_potentials(std::span<const float> grades, std::span<const double> votes,
                    std::span<const double> root_weights, std::size_t offset,
                    PairPotentials& sums) {
  if (grades.empty()) return;
  // Only differences within a query count: taken from the middle, exponents stay small.
  const auto [least, most] = std::ranges::minmax(votes);
  const double middle = (least + most) / 2;
  std::map<float, GradeSums> by_grade;
  for (std::size_t d = 0; d < grades.size(); ++d) {
    GradeSums& own = by_grade[grades[d]];
    own.up += root_weights[d] * std::exp(votes[d] - middle);
    own.down += root_weights[d] * std::exp(middle - votes[d]);
  }
  std::map<float, GradeSums> others;  // up: of worse grades; down: of better ones
  GradeSums running;
  for (const auto& [grade, own] : by_grade) {
    others[grade].up = running.up;
    running.up += own.up;
  }
  for (auto at = by_grade.rbegin(); at != by_grade.rend(); ++at) {
    others[at->first].down = running.down;
    running.down += at->second.down;
  }
  for (std::size_t d = 0; d < grades.size(); ++d) {
    const GradeSums& other = others[grades[d]];
    const double better = root_weights[d] * std::exp(middle - votes[d]) * other.up;
    const double worse = root_weights[d] * std::exp(votes[d] - middle) * other.down;
    sums.potentials[offset + d] = better - worse;
    sums.z += better;
  }
}

std::vector<float> rankboost_thresholds(std::span<const float> column, int thresholds) {
  std::vector<float> values;
  for (const float x : column) {
    if (!std::isnan(x)) values.push_back(x);
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<float> found;
  if (values.size() < 2) return found;
  if (thresholds == 0) {
    for (std::size_t i = 1; i < values.size(); ++i) {
      found.push_back(cut_between(values[i - 1], values[i]));
    }
    return found;
  }
  const double greatest = values.back();
  const double step = (greatest - values.front()) / thresholds;
  for (int i = thresholds - 1; i > 0; --i) {
    const auto threshold = static_cast<float>(greatest - i * step);
    if (found.empty() || threshold > found.back()) found.push_back(threshold);
  }
  return found;
}

std::vector<std::uint16_t> cells_of(const Dataset& data, std::size_t feature,
                                    std::span<const float> thresholds) {
  std::vector<std::uint16_t> cells(data.num_rows());
  for (std::size_t r = 0; r < cells.size(); ++r) {
    const float x = data.features()(r, feature);
    if (std::isinf(x)) {
      fail(ErrorKind::kInput, "row {}: feature {} is infinite", r + 1,
           data.feature_names()[feature]);
    }
    if (std::isnan(x)) continue;
    cells[r] =
        static_cast<std::uint16_t>(std::ranges::lower_bound(thresholds, x) - thresholds.begin());
  }
  return cells;
}

ThresholdCells find_cells(const Dataset& data, int thresholds, const Context& context) {
  const std::size_t num_features = data.num_features();
  ThresholdCells result{.thresholds = std::vector<std::vector<float>>(num_features),
                        .cells = std::vector<std::vector<std::uint16_t>>(num_features)};
  parallel_for(context, num_features, 1, [&](std::size_t f, std::size_t) {
    std::vector<float> column(data.num_rows());
    for (std::size_t r = 0; r < column.size(); ++r) column[r] = data.features()(r, f);
    result.thresholds[f] = rankboost_thresholds(column, thresholds);
    if (result.thresholds[f].size() > kMostThresholds) {
      fail(ErrorKind::kInput,
           "feature {} has {} different values, more than {} thresholds can tell apart; give "
           "thresholds a number",
           data.feature_names()[f], result.thresholds[f].size() + 1, kMostThresholds);
    }
    result.cells[f] = cells_of(data, f, result.thresholds[f]);
  });
  return result;
}

WeakRanker best_ranker(const ThresholdCells& cells, std::span<const double> potentials, double z,
                       const Context& context) {
  const std::size_t num_features = cells.cells.size();
  std::vector<WeakRanker> best(num_features);
  parallel_for(context, num_features, 1, [&](std::size_t f, std::size_t) {
    best[f].feature = static_cast<std::uint32_t>(f);
    const std::size_t num_thresholds = cells.thresholds[f].size();
    if (num_thresholds == 0) return;
    std::vector<double> sums(num_thresholds + 1, 0.0);
    const std::vector<std::uint16_t>& column = cells.cells[f];
    for (std::size_t r = 0; r < column.size(); ++r) sums[column[r]] += potentials[r];
    double above = 0;
    for (std::size_t t = num_thresholds; t-- > 0;) {
      above += sums[t + 1];
      if (above <= best[f].r) continue;
      best[f].r = above;
      best[f].threshold = static_cast<std::uint32_t>(t);
    }
  });
  WeakRanker winner;
  for (const WeakRanker& own : best) {
    if (own.r > winner.r) winner = own;
  }
  winner.r /= z;
  return winner;
}

}  // namespace glassrank
