#include "glassrank/methods/ebm/lane_boosting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "glassrank/base/buffer.h"
#include "glassrank/methods/ebm/lane_pass_kernel.h"
#include "glassrank/methods/ebm/lane_step.h"

namespace glassrank {
namespace {

template <typename Code>
class LaneRun {
 public:
  LaneRun(LaneRows<Code> rows, std::size_t num_bags, const CyclicRules& rules)
      : rows_(std::move(rows)), rules_(rules), no_codes_(rows_.errors.size() / kBagLanes) {
    std::size_t most_cells = 0;
    std::size_t most_sums = 0;
    std::vector<EffectShape> shapes;
    for (const LaneCodes<Code>& effect : rows_.effects) {
      effects_.push_back(fixed_sums(effect));
      shapes.push_back(effect.shape);
      most_cells = std::max(most_cells, effect.shape.num_cells());
      most_sums = std::max(most_sums, effects_.back().num_sums());
    }
    sums_ = Buffer<double>(kSumCopies * most_cells * kBagLanes);
    gradients_.resize(most_cells * kBagLanes);
    scratch_ = Buffer<double>(most_sums);
    for (const LaneSegment& segment : rows_.segments) {
      for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
        if (!segment.judges[lane]) continue;
        for (std::size_t r = segment.begin; r < segment.end; ++r) judging_[lane] += weight(r);
      }
    }
    pass({}, {});
    for (std::size_t lane = 0; lane < num_bags; ++lane) {
      bags_.emplace_back(std::span<const EffectShape>(shapes), rules_, losses_[lane]);
    }
    is_active_.assign(num_bags, rules_.max_rounds > 0);
  }

  std::vector<CyclicResult> run(const OnLaneRound& on_round, const Context& context) {
    while (std::ranges::count(is_active_, true) > 0) {
      if (context.is_stopped()) {
        on_active([&](std::size_t lane) { bags_[lane].interrupt(); });
        break;
      }
      for (std::size_t effect = 0; effect < effects_.size(); ++effect) visit(effect);
      pass({}, {});
      on_active([&](std::size_t lane) {
        bags_[lane].measure(losses_[lane]);
        is_active_[lane] = !bags_[lane].end_round(losses_[lane]);
        if (on_round && !on_round(lane, bags_[lane].num_rounds(), losses_[lane])) {
          is_active_[lane] = false;
        }
      });
    }
    std::vector<CyclicResult> results;
    for (std::size_t lane = 0; lane < bags_.size(); ++lane) {
      results.push_back(bags_[lane].take_result());
      // No loss tells; gradients that are no numbers give no steps, so the tables need not, either.
      if (std::isnan(results.back().start_loss)) results.back().has_diverged = has_overflow(lane);
    }
    return results;
  }

 private:
  double weight(std::size_t row) const { return rows_.weights.empty() ? 1 : rows_.weights[row]; }

  bool has_overflow(std::size_t lane) const {
    for (const LaneSegment& segment : rows_.segments) {
      if (!segment.trains[lane]) continue;
      for (std::size_t r = segment.begin; r < segment.end; ++r) {
        if (!std::isfinite(rows_.errors[r * kBagLanes + lane])) return true;
      }
    }
    return false;
  }

  template <typename Body>
  void on_active(Body&& body) {
    for (std::size_t lane = 0; lane < bags_.size(); ++lane) {
      if (is_active_[lane]) body(lane);
    }
  }

  LaneEffect fixed_sums(const LaneCodes<Code>& effect) const {
    std::vector<double> hessians(effect.shape.num_cells() * kBagLanes);
    std::vector<double> rows(rows_.weights.empty() ? 0 : hessians.size());
    for (const LaneSegment& segment : rows_.segments) {
      for (std::size_t r = segment.begin; r < segment.end; ++r) {
        for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
          if (!segment.trains[lane]) continue;
          hessians[effect.codes[r] * kBagLanes + lane] += weight(r);
          if (!rows.empty()) rows[effect.codes[r] * kBagLanes + lane] += 1;
        }
      }
    }
    return LaneEffect(effect.shape, hessians, rows);
  }

  // Adds the step of the visit before, if there is one, and measures; with `codes` and `sums` it
  // sums, too.
  void pass(std::span<const Code> codes, std::span<double> sums) {
    constexpr std::array<float, kBagLanes> kNothing{};
    LanePass<Code> pass{.segments = rows_.segments,
                        .errors = rows_.errors,
                        .weights = rows_.weights,
                        .step_codes = no_codes_,
                        .step = kNothing,
                        .codes = codes,
                        .sums = sums};
    if (has_step_) {
      pass.step_codes = rows_.effects[step_effect_].codes;
      pass.step = step_.values;
    }
    losses_ = pass_lanes(pass);
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) losses_[lane] /= judging_[lane];
    has_step_ = false;
  }

  void visit(std::size_t effect) {
    const std::size_t num_cells = effects_[effect].shape().num_cells();
    const std::span<double> sums = sums_.span().first(kSumCopies * num_cells * kBagLanes);
    std::ranges::fill(sums, 0.0);
    pass(rows_.effects[effect].codes, sums);
    if (effect > 0) on_active([&](std::size_t lane) { bags_[lane].measure(losses_[lane]); });
    static_assert(kSumCopies == 2);
    for (std::size_t cell = 0; cell < num_cells; ++cell) {
      const double* copies = sums.data() + cell * kSumCopies * kBagLanes;
      for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
        gradients_[cell * kBagLanes + lane] = copies[lane] + copies[kBagLanes + lane];
      }
    }
    effects_[effect].fit(gradients_, rules_.step, scratch_.span(), step_);
    step_effect_ = effect;
    has_step_ = true;
    on_active([&](std::size_t lane) {
      if (step_.has_step[lane]) {
        bags_[lane].add(effect, std::span<const float>(step_.values).subspan(lane), kBagLanes);
      }
      bags_[lane].end_visit();
    });
  }

  LaneRows<Code> rows_;
  const CyclicRules& rules_;
  std::vector<LaneEffect> effects_;
  std::vector<CyclicBag> bags_;
  std::vector<bool> is_active_;
  std::array<double, kBagLanes> judging_{};  // weight of the rows that judge a lane
  std::array<double, kBagLanes> losses_{};   // after the last pass
  LaneStep step_;                            // of the last visit
  std::size_t step_effect_ = 0;
  bool has_step_ = false;       // which no pass has added yet
  std::vector<Code> no_codes_;  // all of one cell, for passes without a step
  Buffer<double> sums_;
  std::vector<double> gradients_;
  Buffer<double> scratch_;
};

}  // namespace

std::vector<CyclicResult> boost_lanes(LaneRows<std::uint8_t> rows, std::size_t num_bags,
                                      const CyclicRules& rules, const OnLaneRound& on_round,
                                      const Context& context) {
  return LaneRun(std::move(rows), num_bags, rules).run(on_round, context);
}

std::vector<CyclicResult> boost_lanes(LaneRows<std::uint16_t> rows, std::size_t num_bags,
                                      const CyclicRules& rules, const OnLaneRound& on_round,
                                      const Context& context) {
  return LaneRun(std::move(rows), num_bags, rules).run(on_round, context);
}

}  // namespace glassrank
