#include "glassrank/methods/ebm/bag_rows.h"

#include <algorithm>
#include <limits>

#include "glassrank/boosting/gradients.h"

namespace glassrank {
namespace {

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
        hessians_(data.train.num_rows()) {}

  void sum_cells(std::size_t effect, std::span<CellSum> cells) override {
    if (num_visits_ == 0) ask_objective();
    ++num_visits_;
    if (num_visits_ == target_.gradients_every) num_visits_ = 0;
    std::ranges::fill(cells, CellSum{});
    const std::span<const Code> codes = effects_[effect].train;
    for (std::size_t r = 0; r < codes.size(); ++r) {
      cells[codes[r]] += {.gradient = gradients_[r], .hessian = hessians_[r], .rows = 1};
    }
  }

  void add_step(std::size_t effect, std::span<const float> step) override {
    const EffectCodes<Code>& codes = effects_[effect];
    for (std::size_t r = 0; r < codes.train.size(); ++r) {
      const float added = step[codes.train[r]];
      scores_.train[r] += added;
      gradients_[r] += hessians_[r] * added;
    }
    for (std::size_t r = 0; r < codes.valid.size(); ++r) scores_.valid[r] += step[codes.valid[r]];
  }

  void end_round() override {
    num_visits_ = 0;
    ++round_;
  }

  double loss() override {
    if (data_.valid.num_rows() == 0) return std::numeric_limits<double>::quiet_NaN();
    return -target_.metric(data_.valid, scores_.valid, target_.context);
  }
  bool has_loss_of_visits() const override { return false; }

 private:
  void ask_objective() {
    compute_gradients({.data = data_.train,
                       .objective = target_.objective,
                       .scores = scores_.train,
                       .round = round_},
                      {.gradient = gradients_, .hessian = hessians_}, target_.context);
  }

  const BagData& data_;
  std::vector<EffectCodes<Code>> effects_;
  BagScores scores_;
  BagTarget target_;
  std::vector<float> gradients_;
  std::vector<float> hessians_;
  std::size_t num_visits_ = 0;  // since the objective was asked
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
