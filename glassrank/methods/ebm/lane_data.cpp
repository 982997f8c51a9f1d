#include "glassrank/methods/ebm/lane_data.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/agree.h"
#include "glassrank/objectives/mean_grade.h"

namespace glassrank {
namespace {

// Calls body(i, data, row) for every place of the order with where its row is from.
template <typename Body>
void on_rows(const LaneData& data, Body&& body) {
  const std::vector<std::uint32_t>& rows = data.order.rows;
  for (std::size_t i = 0; i < data.order.num_train; ++i) body(i, data.train, rows[i]);
  for (std::size_t i = data.order.num_train; i < rows.size(); ++i) body(i, *data.valid, rows[i]);
}

// The same with the row's code of a feature.
template <typename Body>
void on_codes(const LaneData& data, std::size_t feature, Body&& body) {
  const std::vector<std::uint32_t>& rows = data.order.rows;
  const std::span<const std::uint8_t> train = data.train.column(feature).narrow();
  for (std::size_t i = 0; i < data.order.num_train; ++i) body(i, train[rows[i]]);
  if (data.order.num_train == rows.size()) return;
  const std::span<const std::uint8_t> valid = data.valid->column(feature).narrow();
  for (std::size_t i = data.order.num_train; i < rows.size(); ++i) body(i, valid[rows[i]]);
}

}  // namespace

double mean_grade_of(const BinnedDataset& data, std::span<const std::uint32_t> rows,
                     const Communicator& machines) {
  std::vector<float> grades;
  std::vector<float> weights;
  for (const std::uint32_t r : rows) {
    grades.push_back(data.grades()[r]);
    if (!data.weights().empty()) weights.push_back(data.weights()[r]);
  }
  return mean_grade(
      {.grades = grades, .weights = weights, .queries = data.queries(), .communicator = machines});
}

LaneErrors lane_errors(const LaneData& data, std::span<const LaneStart> bags,
                       std::span<const std::uint32_t> features, const Communicator& machines) {
  const std::size_t num_rows = data.order.rows.size();
  std::vector<std::vector<double>> exact;  // a lane
  double greatest[] = {0};
  for (const LaneStart& bag : bags) {
    std::vector<double>& errors = exact.emplace_back(num_rows, bag.initial);
    for (std::size_t f = 0; f < bag.curves.size(); ++f) {
      const std::vector<double>& curve = bag.curves[f];
      on_codes(data, features[f], [&](std::size_t i, std::size_t c) { errors[i] += curve[c]; });
    }
    on_rows(data, [&](std::size_t i, const BinnedDataset& from, std::size_t r) {
      errors[i] -= from.grades()[r];
      greatest[0] = std::max(greatest[0], std::abs(errors[i]));
    });
  }
  machines.max(greatest);
  LaneErrors errors{.values = std::vector<std::int32_t>(num_rows * kBagLanes),
                    .unit = unit_of_errors(greatest[0])};
  for (std::size_t lane = 0; lane < bags.size(); ++lane) {
    for (std::size_t i = 0; i < num_rows; ++i) {
      errors.values[i * kBagLanes + lane] =
          static_cast<std::int32_t>(std::lrint(exact[lane][i] / errors.unit));
    }
  }
  return errors;
}

std::vector<float> lane_weights(const LaneData& data, const Communicator& machines) {
  const bool has_weights =
      !data.train.weights().empty() || (data.valid != nullptr && !data.valid->weights().empty());
  if (!any_machine(machines, has_weights)) return {};
  std::vector<float> weights(data.order.rows.size());
  on_rows(data, [&](std::size_t i, const BinnedDataset& from, std::size_t r) {
    weights[i] = static_cast<float>(from.weight(r));
  });
  return weights;
}

std::vector<LaneCodes<std::uint8_t>> lane_curves(const LaneData& data,
                                                 std::span<const std::uint32_t> features) {
  std::vector<LaneCodes<std::uint8_t>> effects;
  for (const std::uint32_t f : features) {
    LaneCodes<std::uint8_t> effect{.codes = std::vector<std::uint8_t>(data.order.rows.size()),
                                   .shape = {.height = data.train.num_bins(f)}};
    on_codes(data, f, [&](std::size_t i, std::uint8_t code) { effect.codes[i] = code; });
    effects.push_back(std::move(effect));
  }
  return effects;
}

std::vector<LaneCodes<std::uint16_t>> lane_surfaces(const LaneData& data,
                                                    std::span<const RankedFeaturePair> pairs) {
  std::vector<LaneCodes<std::uint16_t>> effects;
  for (const RankedFeaturePair& pair : pairs) {
    const EffectShape shape{.height = data.train.num_bins(pair.first),
                            .width = data.train.num_bins(pair.second)};
    LaneCodes<std::uint16_t> effect{.codes = std::vector<std::uint16_t>(data.order.rows.size()),
                                    .shape = shape};
    on_codes(data, pair.first, [&](std::size_t i, std::size_t code) {
      effect.codes[i] = static_cast<std::uint16_t>(code * shape.width);
    });
    on_codes(data, pair.second, [&](std::size_t i, std::size_t code) {
      effect.codes[i] = static_cast<std::uint16_t>(effect.codes[i] + code);
    });
    effects.push_back(std::move(effect));
  }
  return effects;
}

}  // namespace glassrank
