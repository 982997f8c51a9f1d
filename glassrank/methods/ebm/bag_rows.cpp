#include "glassrank/methods/ebm/bag_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "glassrank/base/parallel.h"
#include "glassrank/boosting/gradients.h"
#include "glassrank/math/fixed_point.h"

namespace glassrank {
namespace {

double greatest_of(std::span<const float> values) {
  float greatest = 0;
  for (const float value : values) greatest = std::max(greatest, std::abs(value));
  return greatest;
}

template <typename Code>
class ObjectiveRows final : public BagRows {
 public:
  ObjectiveRows(const BagData& data, std::span<const EffectCodes<Code>> effects, BagScores start,
                const BagTarget& target)
      : data_(data),
        effects_(effects.begin(), effects.end()),
        scores_(std::move(start)),
        target_(target),
        gradients_(data.train.num_rows()),
        hessians_(data.train.num_rows()),
        parts_(target.num_parts) {
    for (const EffectCodes<Code>& effect : effects_) counts_.push_back(count_rows(effect));
  }

  void sum_cells(std::size_t effect, std::span<CellSum> cells) override {
    if (num_visits_ == 0) ask_objective();
    ++num_visits_;
    if (num_visits_ == target_.gradients_every) num_visits_ = 0;
    const std::span<const Code> codes = effects_[effect].train;
    const FixedPoint gradient_unit = unit_of(greatest_gradient_);
    const FixedPoint hessian_unit = unit_of(greatest_hessian_);
    on_parts(codes.size(), [&](std::size_t part, RowRange rows) {
      std::vector<UnitSum>& sums = parts_[part];
      sums.assign(cells.size(), {});
      // Numbers of which there is none: no step, and the objective complains of the scores.
      if (!std::isfinite(greatest_gradient_)) return;
      for (std::size_t r = rows.begin; r < rows.end; ++r) {
        sums[codes[r]].gradient += gradient_unit.to_units_quickly(gradients_[r]);
        sums[codes[r]].hessian += hessian_unit.to_units_quickly(hessians_[r]);
      }
    });
    std::vector<UnitSum>& total = parts_.front();
    for (std::size_t part = 1; part < parts_.size(); ++part) {
      for (std::size_t c = 0; c < cells.size(); ++c) {
        total[c].gradient += parts_[part][c].gradient;
        total[c].hessian += parts_[part][c].hessian;
      }
    }
    if (!total.empty())
      target_.context.communicator->sum({&total.front().gradient, 2 * total.size()});
    for (std::size_t c = 0; c < cells.size(); ++c) {
      cells[c] = {.gradient = gradient_unit.to_real(total[c].gradient),
                  .hessian = hessian_unit.to_real(total[c].hessian),
                  .rows = counts_[effect][c]};
    }
  }

  void add_step(std::size_t effect, std::span<const float> step) override {
    const EffectCodes<Code>& codes = effects_[effect];
    on_parts(codes.train.size(), [&](std::size_t, RowRange rows) {
      for (std::size_t r = rows.begin; r < rows.end; ++r) {
        const float added = step[codes.train[r]];
        scores_.train[r] += added;
        gradients_[r] += hessians_[r] * added;
      }
    });
    on_parts(codes.valid.size(), [&](std::size_t, RowRange rows) {
      for (std::size_t r = rows.begin; r < rows.end; ++r) {
        scores_.valid[r] += step[codes.valid[r]];
      }
    });
    greatest_gradient_ += greatest_hessian_ * greatest_of(step);
  }

  void end_round() override {
    num_visits_ = 0;
    ++round_;
  }

  double loss() override {
    if (data_.valid.num_all_rows() == 0) return std::numeric_limits<double>::quiet_NaN();
    return -target_.metric(data_.valid, scores_.valid, target_.context);
  }
  bool has_loss_of_visits() const override { return false; }

 private:
  struct UnitSum {
    std::int64_t gradient = 0;
    std::int64_t hessian = 0;
  };
  static_assert(sizeof(UnitSum) == 2 * sizeof(std::int64_t));

  // Calls body(part, rows) side by side for consecutive parts of the rows.
  template <typename Body>
  void on_parts(std::size_t num_rows, Body&& body) const {
    const std::size_t n = parts_.size();
    parallel_for(target_.context, n, 1, [&](std::size_t part, std::size_t) {
      body(part, RowRange{num_rows * part / n, num_rows * (part + 1) / n});
    });
  }

  // By cell, of all machines.
  std::vector<double> count_rows(const EffectCodes<Code>& effect) const {
    std::vector<std::int64_t> counts(effect.num_cells);
    for (const Code code : effect.train) ++counts[code];
    target_.context.communicator->sum(counts);
    return {counts.begin(), counts.end()};
  }

  FixedPoint unit_of(double greatest) const {
    return {greatest, std::max(data_.train.num_all_rows(), FixedPoint::kQuickCount)};
  }

  void ask_objective() {
    compute_gradients({.data = data_.train,
                       .objective = target_.objective,
                       .scores = scores_.train,
                       .round = round_},
                      {.gradient = gradients_, .hessian = hessians_}, target_.context);
    double greatest[] = {greatest_of(gradients_), greatest_of(hessians_)};
    target_.context.communicator->max(greatest);
    greatest_gradient_ = greatest[0];
    greatest_hessian_ = greatest[1];
  }

  const BagData& data_;
  std::vector<EffectCodes<Code>> effects_;
  BagScores scores_;
  BagTarget target_;
  std::vector<float> gradients_;
  std::vector<float> hessians_;
  double greatest_gradient_ = 0;  // a bound, on all machines
  double greatest_hessian_ = 0;
  std::vector<std::vector<double>> counts_;  // [effect][cell]
  std::vector<std::vector<UnitSum>> parts_;  // room for the sums of each
  std::size_t num_visits_ = 0;               // since the objective was asked
  std::size_t round_ = 0;
};

}  // namespace

std::unique_ptr<BagRows> make_bag_rows(const BagData& data,
                                       std::span<const EffectCodes<std::uint8_t>> effects,
                                       const BagScores& start, const BagTarget& target) {
  return std::make_unique<ObjectiveRows<std::uint8_t>>(data, effects, start, target);
}

std::unique_ptr<BagRows> make_bag_rows(const BagData& data,
                                       std::span<const EffectCodes<std::uint16_t>> effects,
                                       const BagScores& start, const BagTarget& target) {
  return std::make_unique<ObjectiveRows<std::uint16_t>>(data, effects, start, target);
}

}  // namespace glassrank
