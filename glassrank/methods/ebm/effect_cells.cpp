#include "glassrank/methods/ebm/effect_cells.h"

#include <algorithm>

#include "glassrank/boosting/gradients.h"
#include "glassrank/math/fixed_point.h"

namespace glassrank {
namespace {

std::vector<std::uint16_t> surface_cells(const BinnedDataset& data, const RankedFeaturePair& pair) {
  const std::span<const std::uint8_t> first = data.column(pair.first).narrow();
  const std::span<const std::uint8_t> second = data.column(pair.second).narrow();
  const std::size_t width = data.num_bins(pair.second);
  std::vector<std::uint16_t> cells(data.num_rows());
  for (std::size_t r = 0; r < cells.size(); ++r) {
    cells[r] = static_cast<std::uint16_t>(first[r] * width + second[r]);
  }
  return cells;
}

// `cells` by row.
template <typename Cells>
std::vector<double> cell_weights(const BinnedDataset& data, const Cells& cells,
                                 std::size_t num_cells, const Communicator& machines) {
  double greatest[] = {0};
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    greatest[0] = std::max(greatest[0], data.weight(r));
  }
  machines.max(greatest);
  const FixedPoint unit(greatest[0], data.num_all_rows());
  std::vector<std::int64_t> sums(num_cells);
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    sums[cells[r]] += unit.to_units(data.weight(r));
  }
  machines.sum(sums);
  std::vector<double> weights;
  for (const std::int64_t sum : sums) weights.push_back(unit.to_real(sum));
  return weights;
}

GamAxis axis_of(const BinnedDataset& data, std::size_t feature) {
  const std::span<const float> cuts = data.edges().cuts(feature);
  return {.feature = static_cast<std::uint32_t>(feature), .edges = {cuts.begin(), cuts.end()}};
}

}  // namespace

CurveCodes::CurveCodes(const BagData& data, std::span<const std::uint32_t> features) {
  for (const std::uint32_t f : features) {
    const std::size_t num_cells = data.train.num_bins(f);
    codes_.push_back({.train = data.train.column(f).narrow(),
                      .valid = data.valid.column(f).narrow(),
                      .num_cells = num_cells});
    shapes_.push_back({.height = num_cells});
  }
}

SurfaceCodes::SurfaceCodes(const BagData& data, std::span<const RankedFeaturePair> pairs) {
  for (const RankedFeaturePair& pair : pairs) {
    cells_.push_back(surface_cells(data.train, pair));
    cells_.push_back(surface_cells(data.valid, pair));
    const EffectShape shape{.height = data.train.num_bins(pair.first),
                            .width = data.train.num_bins(pair.second)};
    codes_.push_back({.train = cells_[cells_.size() - 2],
                      .valid = cells_.back(),
                      .num_cells = shape.num_cells()});
    shapes_.push_back(shape);
  }
}

void add_curves(const BinnedDataset& data, std::span<const std::uint32_t> features,
                std::span<const std::vector<double>> tables, std::span<double> scores) {
  for (std::size_t i = 0; i < features.size(); ++i) {
    const std::span<const std::uint8_t> codes = data.column(features[i]).narrow();
    for (std::size_t r = 0; r < scores.size(); ++r) scores[r] += tables[i][codes[r]];
  }
}

BagGradients gradients_of(const BinnedDataset& data, std::span<const double> scores,
                          const Objective& objective, const Context& context) {
  BagGradients found{.gradients = std::vector<float>(data.num_rows()),
                     .hessians = std::vector<float>(data.num_rows())};
  compute_gradients({.data = data, .objective = objective, .scores = scores},
                    {.gradient = found.gradients, .hessian = found.hessians}, context);
  return found;
}

BaggedEffect curve_effect(const BinnedDataset& data, std::size_t feature,
                          const Communicator& machines) {
  return {.axes = {axis_of(data, feature)},
          .weights = cell_weights(data, data.column(feature), data.num_bins(feature), machines)};
}

BaggedEffect surface_effect(const BinnedDataset& data, const RankedFeaturePair& pair,
                            const Communicator& machines) {
  const std::size_t num_cells = data.num_bins(pair.first) * data.num_bins(pair.second);
  return {.axes = {axis_of(data, pair.first), axis_of(data, pair.second)},
          .weights = cell_weights(data, surface_cells(data, pair), num_cells, machines)};
}

}  // namespace glassrank
