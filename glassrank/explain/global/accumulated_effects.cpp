#include "glassrank/explain/global/accumulated_effects.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/error.h"
#include "glassrank/explain/global/dependence_axis.h"

namespace glassrank {
namespace {

constexpr std::size_t kBatchRows = std::size_t{1} << 14;

struct Bins {
  std::vector<double> steps;    // weighted sums, then means
  std::vector<double> weights;  // [0] is of no bin
  std::size_t num_left_out = 0;
};

// Rows in pairs: at the lower and at the upper end of their bin.
void add_batch(const Subject& subject, const WeightedRows& data, const DependenceAxis& axis,
               RowRange range, Bins& bins, const Context& context) {
  const std::size_t width = data.rows.num_columns();
  std::vector<float> rows;
  std::vector<std::pair<std::size_t, double>> places;  // bin and weight
  for (std::size_t r = range.begin; r < range.end; ++r) {
    const float value = data.rows(r, axis.index);
    if (std::isnan(value)) {
      ++bins.num_left_out;
      continue;
    }
    const std::size_t bin = std::max<std::size_t>(place_on(axis, value), 1);
    places.emplace_back(bin, data.weight(r));
    for (const std::size_t end : {bin - 1, bin}) {
      rows.insert(rows.end(), data.rows.row(r).begin(), data.rows.row(r).end());
      rows[rows.size() - width + axis.index] = axis.points[end];
    }
  }
  std::vector<double> scores(2 * places.size());
  subject.scorer.score({rows.data(), scores.size(), width}, scores, context);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto [bin, weight] = places[i];
    bins.steps[bin] += weight * (scores[2 * i + 1] - scores[2 * i]);
    bins.weights[bin] += weight;
  }
}

}  // namespace

void add_accumulated_effects(const Subject& subject, const WeightedRows& data, Dependence& result,
                             const Context& context) {
  const DependenceAxis& axis = result.axes[0];
  if (axis.points.size() < 2) {
    fail(ErrorKind::kInput,
         "{} has {} value in all rows; accumulated effects need two or more to go from one to the "
         "next",
         axis.feature, axis.weights[0] > 0 ? "the same" : "no");
  }
  Bins bins{.steps = std::vector<double>(axis.points.size()),
            .weights = std::vector<double>(axis.points.size())};
  for (std::size_t begin = 0; begin < data.rows.num_rows(); begin += kBatchRows) {
    context.check_stop();
    add_batch(subject, data, axis, {begin, std::min(begin + kBatchRows, data.rows.num_rows())},
              bins, context);
  }
  result.num_left_out = bins.num_left_out;
  result.num_rows = data.rows.num_rows() - bins.num_left_out;
  result.values.assign(axis.points.size(), 0);
  double mean = 0;
  double total = 0;
  for (std::size_t k = 1; k < axis.points.size(); ++k) {
    const double step = bins.weights[k] > 0 ? bins.steps[k] / bins.weights[k] : 0;
    result.values[k] = result.values[k - 1] + step;
    mean += bins.weights[k] * (result.values[k - 1] + result.values[k]) / 2;
    total += bins.weights[k];
  }
  if (result.centre != Centring::kMean) return;
  for (double& value : result.values) value -= mean / total;
}

}  // namespace glassrank
