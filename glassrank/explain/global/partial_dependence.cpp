#include "glassrank/explain/global/partial_dependence.h"

#include <algorithm>
#include <cmath>

namespace glassrank {
namespace {

constexpr std::size_t kBatchRows = std::size_t{1} << 15;

// Calls use(number, score) for every point and row, in the order of scores_at().
template <typename Use>
void score_changed_rows(const Scorer& scorer, const PointGrid& grid, MatrixView<const float> rows,
                        const Context& context, Use&& use) {
  const std::size_t width = rows.num_columns();
  const std::size_t total = grid.num_points() * rows.num_rows();
  std::vector<float> block(std::min(kBatchRows, total) * width);
  std::vector<double> scores(std::min(kBatchRows, total));
  for (std::size_t begin = 0; begin < total; begin += kBatchRows) {
    context.check_stop();
    const std::size_t size = std::min(kBatchRows, total - begin);
    for (std::size_t i = 0; i < size; ++i) {
      const auto row = rows.row((begin + i) % rows.num_rows());
      const std::span<float> changed(&block[i * width], width);
      std::ranges::copy(row, changed.begin());
      grid.set((begin + i) / rows.num_rows(), changed);
    }
    scorer.score({block.data(), size, width}, std::span(scores).first(size), context);
    for (std::size_t i = 0; i < size; ++i) use(begin + i, scores[i]);
  }
}

}  // namespace

std::size_t PointGrid::num_points() const {
  std::size_t points = 1;
  for (const auto& of_feature : values) points *= of_feature.size();
  return points;
}

void PointGrid::set(std::size_t point, std::span<float> row) const {
  if (features.size() == 1) {
    row[features[0]] = values[0][point];
    return;
  }
  row[features[0]] = values[0][point / values[1].size()];
  row[features[1]] = values[1][point % values[1].size()];
}

double WeightedRows::total() const {
  double sum = 0;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) sum += weight(r);
  return sum;
}

std::vector<double> plain_mean_scores_at(const Scorer& scorer, const PointGrid& grid,
                                         const WeightedRows& data, const Context& context) {
  std::vector<double> means(grid.num_points());
  score_changed_rows(scorer, grid, data.rows, context, [&](std::size_t number, double score) {
    means[number / data.rows.num_rows()] += data.weight(number % data.rows.num_rows()) * score;
  });
  const double total = data.total();
  for (double& mean : means) mean /= total;
  return means;
}

std::vector<double> scores_at(const Scorer& scorer, const PointGrid& grid,
                              MatrixView<const float> rows, const Context& context) {
  std::vector<double> scores(grid.num_points() * rows.num_rows());
  score_changed_rows(scorer, grid, rows, context,
                     [&](std::size_t number, double score) { scores[number] = score; });
  return scores;
}

std::vector<double> mean_scores_at(const Subject& subject, const PointGrid& grid,
                                   const WeightedRows& data, const Context& context) {
  if (subject.model == nullptr) return plain_mean_scores_at(subject.scorer, grid, data, context);
  return match(
      *subject.model,
      [&](const Forest& forest) { return forest_mean_scores_at(forest, grid, data, context); },
      [&](const Gam& gam) { return gam_mean_scores_at(gam, grid, data, context); },
      [&](const auto&) { return plain_mean_scores_at(subject.scorer, grid, data, context); });
}

}  // namespace glassrank
